package io.understudy.health;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The head of an HTTP request (RFC 9112).
 *
 * <pre>
 * head         = request-line *header end
 * request-line = method SP path [ "?" query ] SP "HTTP/1." digit end
 * header       = name ":" value end
 * end          = [ CR ] LF
 * </pre>
 *
 * @param path begins with a slash
 * @param headers values by name in lower case, without the white space around them
 * @param from the other end of the connection
 */
public record HealthRequest(
        String method, String path, @Nullable String query, Map<String, List<String>> headers, InetAddress from) {

    /** Possessive, as the other one: a hostile head is read in time that grows with its length, and no faster. */
    private static final Pattern REQUEST_LINE =
            Pattern.compile("([!#$%&'*+.^_`|~0-9A-Za-z-]++) (/[!-~&&[^?#]]*+)(?:\\?([!-~&&[^#]]*+))? HTTP/1\\.[0-9]");

    private static final Pattern HEADER =
            Pattern.compile("([!#$%&'*+.^_`|~0-9A-Za-z-]++):[ \t]*+([\t -~\u0080-\u00ff]*+)");

    /** The head is not one of HTTP/1. */
    static final class MalformedException extends Exception {

        private static final long serialVersionUID = 1L;

        MalformedException(String message) {
            super(message);
        }
    }

    /** Whether the empty line is there that ends the head; those before its first line do not count. */
    static boolean ended(String head) {
        String begun = trimmed(head);
        return begun.contains("\n\r\n") || begun.contains("\n\n");
    }

    private static String trimmed(String head) {
        int begin = 0;
        while (begin < head.length() && (head.charAt(begin) == '\r' || head.charAt(begin) == '\n')) {
            begin++;
        }
        return head.substring(begin);
    }

    /** @param head of characters below 256, which has {@linkplain #ended ended}; what follows is not looked at */
    static HealthRequest parse(String head, InetAddress from) throws MalformedException {
        String[] lines = trimmed(head).split("\r?\n", -1);
        Matcher request = REQUEST_LINE.matcher(lines[0]);
        if (!request.matches()) {
            throw new MalformedException("expected a method, a path that begins with '/', and HTTP/1");
        }
        Map<String, List<String>> headers = new HashMap<>();
        for (int i = 1; i < lines.length && !lines[i].isEmpty(); i++) {
            Matcher header = HEADER.matcher(lines[i]);
            if (!header.matches()) {
                throw new MalformedException("expected a header as 'name: value' in line " + (i + 1));
            }
            headers.computeIfAbsent(header.group(1).toLowerCase(Locale.ROOT), name -> new ArrayList<>(1))
                    .add(header.group(2).stripTrailing());
        }
        return new HealthRequest(request.group(1), request.group(2), request.group(3), headers, from);
    }

    /** The values of a header, one for each line that has it; its name in lower case. */
    public List<String> all(String name) {
        return headers.getOrDefault(name, List.of());
    }
}
