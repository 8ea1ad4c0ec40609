package io.understudy.junit;

import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
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

/**
 * What of a response is compared.
 *
 * @param headers those that describe the body or lead elsewhere, by name in lower case
 * @param cookies the names of those that the response sets
 * @param body as text; of binary content a line about it
 */
record Answer(int status, Map<String, String> headers, Set<String> cookies, String body) {

    private static final List<String> COMPARED = List.of(
            "allow",
            "content-disposition",
            "content-encoding",
            "content-language",
            "content-type",
            "location",
            "refresh",
            "www-authenticate");

    private static final Pattern CHARSET = Pattern.compile("charset=\"?([^\";\\s]+)", Pattern.CASE_INSENSITIVE);
    private static final Pattern BINARY =
            Pattern.compile("(image|audio|video|font)/.*|application/(octet-stream|pdf|zip|gzip).*");

    static Answer of(HttpResponse<byte[]> response) {
        HttpHeaders all = response.headers();
        Map<String, String> headers = new TreeMap<>();
        for (String name : COMPARED) {
            List<String> values = all.allValues(name);
            if (!values.isEmpty()) {
                headers.put(name, String.join(", ", values));
            }
        }
        Set<String> cookies = new TreeSet<>();
        for (String cookie : all.allValues("set-cookie")) {
            int end = cookie.indexOf('=');
            cookies.add(end < 0 ? cookie : cookie.substring(0, end).strip());
        }
        return new Answer(response.statusCode(), headers, cookies, body(headers, response.body()));
    }

    private static String body(Map<String, String> headers, byte[] bytes) {
        String type = headers.getOrDefault("content-type", "").toLowerCase(Locale.ROOT);
        if (headers.containsKey("content-encoding") || BINARY.matcher(type).matches()) {
            return bytes.length + " bytes, hash " + Arrays.hashCode(bytes);
        }
        return new String(bytes, charset(type));
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
