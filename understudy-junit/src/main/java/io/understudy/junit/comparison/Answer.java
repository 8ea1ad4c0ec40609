package io.understudy.junit.comparison;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpHeaders;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * What of a response is compared.
 *
 * @param headers those that describe the body or lead elsewhere, by name in lower case
 * @param cookies the names of those that the response sets
 * @param body as text; of binary content a line about it
 */
public record Answer(int status, Map<String, String> headers, Set<String> cookies, String body) {

    /** In place of a response that did not come before the test was over. */
    public static final Answer NONE = new Answer(0, Map.of(), Set.of(), "");

    private static final List<String> COMPARED = List.of(
            "allow",
            "content-disposition",
            "content-encoding",
            "content-language",
            "content-type",
            "location",
            "refresh",
            "www-authenticate");

    /** In place of the address of the run, so that links to it are compared. */
    private static final String SERVER = "server";

    private static final Set<String> GZIP = Set.of("gzip", "x-gzip");

    private static final Pattern CHARSET = Pattern.compile("charset=\"?([^\";\\s]+)", Pattern.CASE_INSENSITIVE);
    private static final Pattern BINARY =
            Pattern.compile("(image|audio|video|font)/.*|application/(octet-stream|pdf|zip|gzip).*");

    /** Whether there is a response. */
    boolean present() {
        return status != 0;
    }

    /**
     * Notes a response.
     *
     * @param all its headers
     * @param content its body, as it came
     * @param address host and port of the run, with a port that the next run does not have
     */
    public static Answer of(int status, HttpHeaders all, byte[] content, String address) {
        Map<String, String> headers = new TreeMap<>();
        for (String name : COMPARED) {
            List<String> values = all.allValues(name);
            if (!values.isEmpty()) {
                headers.put(name, String.join(", ", values).replace(address, SERVER));
            }
        }
        Set<String> cookies = new TreeSet<>();
        for (String cookie : all.allValues("set-cookie")) {
            int end = cookie.indexOf('=');
            cookies.add(end < 0 ? cookie : cookie.substring(0, end).strip());
        }
        return new Answer(status, headers, cookies, body(headers, content).replace(address, SERVER));
    }

    private static String body(Map<String, String> headers, byte[] bytes) {
        String type = headers.getOrDefault("content-type", "").toLowerCase(Locale.ROOT);
        String encoding = headers.getOrDefault("content-encoding", "identity");
        byte[] content = GZIP.contains(encoding) ? unpacked(bytes) : encoding.equals("identity") ? bytes : null;
        if (content == null || BINARY.matcher(type).matches()) {
            return bytes.length + " bytes, hash " + Arrays.hashCode(bytes);
        }
        return new String(content, charset(type));
    }

    /** {@code null} if it is not what its header says. */
    private static byte @Nullable [] unpacked(byte[] bytes) {
        if (bytes.length == 0) {
            return bytes; // To HEAD.
        }
        try (GZIPInputStream content = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            return content.readAllBytes();
        } catch (IOException e) {
            return null;
        }
    }

    private static Charset charset(String type) {
        Matcher named = CHARSET.matcher(type);
        try {
            return named.find() ? Charset.forName(named.group(1)) : StandardCharsets.UTF_8;
        } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
            return StandardCharsets.UTF_8;
        }
    }
}
