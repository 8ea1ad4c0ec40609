package io.understudy.demo.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.HttpCookie;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A browser with its cookies, that knows what was acknowledged to it and compares every answer with that. Not safe for
 * use by several threads.
 */
final class Shopper {

    private static final Pattern STATE = Pattern.compile("\\{\"node\":\"(?<node>[^\"]+)\",\"container\":\"(?<container>"
            + "[^\"]+)\",\"session\":(?<session>null|\"[^\"]+\"),\"user\":(?<user>null|\"[^\"]*\"),\"counter\":"
            + "(?<counter>\\d+),\"cart\":\\[(?<cart>.*)]}\\s*");

    private static final Pattern LINE = Pattern.compile("\"sku\":\"([^\"]+)\",\"name\":\"[^\"]+\",\"quantity\":(\\d+)");

    /** What the shop answered. */
    record State(String node, String container, String session, String user, int counter, Map<String, Integer> cart) {

        static State parse(String json) {
            Matcher matcher = STATE.matcher(json);
            if (!matcher.matches()) {
                throw new AssertionError("not the shop's state: " + json);
            }
            Map<String, Integer> cart = new TreeMap<>();
            Matcher line = LINE.matcher(matcher.group("cart"));
            while (line.find()) {
                cart.put(line.group(1), Integer.parseInt(line.group(2)));
            }
            return new State(
                    matcher.group("node"),
                    matcher.group("container"),
                    matcher.group("session"),
                    matcher.group("user"),
                    Integer.parseInt(matcher.group("counter")),
                    cart);
        }

        boolean onTomcat() {
            return container.startsWith("Tomcat/");
        }
    }

    private final HttpClient client = HttpClient.newHttpClient();
    private final URI frontDoor;
    private final String user;
    private final Map<String, String> cookies = new LinkedHashMap<>();
    private final Map<String, Integer> cart = new TreeMap<>();
    private int counter;
    private State last;

    /**
     * Logs in on that node, and goes through the front door from then on. The front door would send a login
     * elsewhere when the node has not told it in time that it is ready.
     */
    Shopper(URI frontDoor, String user, RunningDemo.Node node) throws Exception {
        this.frontDoor = frontDoor;
        this.user = user;
        cookies.put("understudy-route", node.name());
        HttpResponse<String> response =
                post(node.url(), "login", "user=" + URLEncoder.encode(user, StandardCharsets.UTF_8));
        assertEquals(node.name(), note(response).node(), "where the session begins");
    }

    /** The last answer. */
    State last() {
        return last;
    }

    /** One more, acknowledged. */
    void count() throws Exception {
        HttpResponse<String> response = post(frontDoor, "counter", "");
        counter++;
        note(response);
    }

    /** Puts so many into the cart, acknowledged: a change in place. */
    void add(String sku, int quantity) throws Exception {
        HttpResponse<String> response = post(frontDoor, "cart", "sku=" + sku + "&quantity=" + quantity);
        cart.merge(sku, quantity, Integer::sum);
        note(response);
    }

    /** Reads, through the front door. */
    void look() throws Exception {
        note(get(frontDoor));
    }

    /** Reads from a node itself: the answer as it is, not compared with anything. */
    HttpResponse<String> lookAt(URI node) throws Exception {
        return get(node);
    }

    /** Asserts that an answer shows this shopper's session with all that was acknowledged. */
    State check(HttpResponse<String> response) {
        assertEquals(200, response.statusCode(), () -> user + " was answered: " + response.body());
        State state = State.parse(response.body());
        String where =
                user + " on " + state.node() + ", before on " + (last == null ? "none" : last.node()) + ": " + state;
        assertEquals("\"" + user + "\"", state.user(), where);
        assertEquals(counter, state.counter(), where);
        assertEquals(cart, state.cart(), where);
        return state;
    }

    private State note(HttpResponse<String> response) {
        response.headers().allValues("Set-Cookie").stream()
                .flatMap(header -> HttpCookie.parse(header).stream())
                .forEach(cookie -> cookies.put(cookie.getName(), cookie.getValue()));
        last = check(response);
        return last;
    }

    private HttpResponse<String> post(URI base, String path, String form) throws Exception {
        return send(request(base, path)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(form)));
    }

    private HttpResponse<String> get(URI base) throws Exception {
        return send(request(base, "state"));
    }

    private HttpRequest.Builder request(URI base, String path) {
        String header = cookies.entrySet().stream()
                .map(cookie -> cookie.getKey() + "=" + cookie.getValue())
                .collect(Collectors.joining("; "));
        return HttpRequest.newBuilder(base.resolve(path))
                .timeout(RunningDemo.PATIENCE)
                .header("Accept", "application/json")
                .header("Cookie", header);
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
}
