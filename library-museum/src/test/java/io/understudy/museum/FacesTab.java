package io.understudy.museum;

import io.understudy.testkit.Browser;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A tab of a browser that shows a page of a Faces application. Threads: one. */
final class FacesTab {

    private static final Pattern HIDDEN = Pattern.compile("<input[^>]* type=\"hidden\"[^>]*>");

    /**
     * Mojarra's cookie, with the number of a flash in the node's memory. Each node encrypts it with its own key, without
     * a check value (AES/CTR). It takes 1 of 900 to 7,000 cookies of another node for one of its own, and then answers
     * with 500 (eclipse-ee4j/mojarra#5610). The tests demand no flash of Mojarra, and so send it back to no node.
     */
    private static final String FLASH_OF_MOJARRA = "csfcfc";

    private final Browser browser;
    private final String path;
    private String html;

    /** Opens a view. */
    FacesTab(Browser browser, Browser.Server server, String path) {
        this.browser = browser;
        this.path = path;
        browser.forget(FLASH_OF_MOJARRA);
        this.html = browser.get(server, path);
    }

    /** Sends the form, as a click on its button does, and shows the page that answers. */
    void click(Browser.Server server, String button, Map<String, String> fields) {
        HttpResponse<String> response = send(server, button, fields);
        if (response.statusCode() != 200) {
            throw new AssertionError(
                    server + " answered " + button + " with " + response.statusCode() + ": " + response.body());
        }
        html = response.body();
    }

    /** Sends the form, and shows the page to which the answer sends the browser. */
    void clickAndFollow(Browser.Server server, String button, Browser.Server next) {
        HttpResponse<String> response = send(server, button, Map.of());
        String location = Browser.location(response);
        if (!location.startsWith(ServerProcess.CONTEXT)) {
            throw new AssertionError(server + " answered " + button + " with " + response.statusCode() + " to "
                    + location + ": " + response.body());
        }
        browser.forget(FLASH_OF_MOJARRA);
        html = browser.get(next, location.substring(ServerProcess.CONTEXT.length()));
    }

    private HttpResponse<String> send(Browser.Server server, String button, Map<String, String> fields) {
        Map<String, String> form = new LinkedHashMap<>();
        Matcher hidden = HIDDEN.matcher(html);
        while (hidden.find()) {
            form.put(attribute(hidden.group(), "name"), attribute(hidden.group(), "value"));
        }
        form.putAll(fields);
        form.put(button, button);
        StringBuilder body = new StringBuilder();
        form.forEach((name, value) -> body.append(body.isEmpty() ? "" : "&")
                .append(URLEncoder.encode(name, StandardCharsets.UTF_8))
                .append('=')
                .append(URLEncoder.encode(value, StandardCharsets.UTF_8)));
        browser.forget(FLASH_OF_MOJARRA);
        return browser.post(server, path, body.toString());
    }

    private static String attribute(String tag, String name) {
        Matcher attribute = Pattern.compile(" " + name + "=\"([^\"]*)\"").matcher(tag);
        return attribute.find() ? attribute.group(1) : "";
    }

    /** The text of the element with the id; "none" if there is no such element. */
    String text(String id) {
        Matcher element = Pattern.compile("<(\\w+) id=\"" + id + "\"[^>]*>(.*?)</\\1>", Pattern.DOTALL)
                .matcher(html);
        return element.find() ? element.group(2).replaceAll("<[^>]*>", "").trim() : "none";
    }

    /** What the page shows, for messages. */
    String html() {
        return html;
    }
}
