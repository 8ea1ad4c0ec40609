package io.understudy.museum;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.understudy.testkit.Browser;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A tab of a browser that shows a view of Vaadin, as far as Vaadin's client engine is needed for it. Threads: one. */
final class VaadinTab {

    private static final ObjectMapper JSON = new ObjectMapper();

    /** What precedes each answer, so that no script of another site can use it. */
    private static final String GUARD = "for(;;);";

    private static final int WHOLE_PAGE = 1;
    private static final int PROPERTIES = 1;

    private static final List<String> NUMBERS_OF_CLICK =
            List.of("event.screenX", "event.screenY", "event.clientX", "event.clientY", "event.detail", "event.button");

    private static final List<String> KEYS_OF_CLICK =
            List.of("event.ctrlKey", "event.shiftKey", "event.altKey", "event.metaKey");

    private final Browser browser;
    private final String path;
    private final Map<String, Integer> nodes = new HashMap<>();
    private final String token;
    private final int number;
    private int serverMessages;
    private int clientMessages;
    private String text = "none";

    /** Opens the view at the application's root: a node makes the UI, another one the view. */
    VaadinTab(Browser browser, Browser.Server server, Browser.Server next) {
        this.browser = browser;
        browser.get(server, "/");
        JsonNode configuration =
                read(browser.get(server, "/?v-r=init&location=&query=")).path("appConfig");
        this.number = configuration.path("v-uiId").asInt(-1);
        this.path = "/?v-r=uidl&v-uiId=" + number;
        JsonNode message = configuration.path("uidl");
        this.token = message.path("Vaadin-Security-Key").asText();
        show(message);
        ObjectNode data = JSON.createObjectNode()
                .put("route", "")
                .put("query", "")
                .put("appShellTitle", "")
                .put("trigger", "");
        data.putNull("historyState");
        send(next, JSON.createArrayNode().add(event(WHOLE_PAGE, "ui-navigate", data)));
    }

    private static ObjectNode event(int node, String type, ObjectNode data) {
        ObjectNode event =
                JSON.createObjectNode().put("type", "event").put("node", node).put("event", type);
        event.set("data", data);
        return event;
    }

    /** Clicks on the element. */
    void click(Browser.Server server, String tag) {
        ObjectNode data = JSON.createObjectNode();
        NUMBERS_OF_CLICK.forEach(each -> data.put(each, 1));
        KEYS_OF_CLICK.forEach(each -> data.put(each, false));
        send(server, JSON.createArrayNode().add(event(node(tag), "click", data)));
    }

    /** Types into the element, and leaves it. */
    void type(Browser.Server server, String tag, String value) {
        ObjectNode property = JSON.createObjectNode()
                .put("type", "mSync")
                .put("node", node(tag))
                .put("feature", PROPERTIES)
                .put("property", "value")
                .put("value", value);
        send(server, JSON.createArrayNode().add(property).add(event(node(tag), "change", JSON.createObjectNode())));
    }

    private int node(String tag) {
        Integer node = nodes.get(tag);
        if (node == null) {
            throw new AssertionError("tab " + number + " shows no " + tag + ", but " + nodes.keySet());
        }
        return node;
    }

    private void send(Browser.Server server, ArrayNode calls) {
        ObjectNode request = JSON.createObjectNode()
                .put("csrfToken", token)
                .put("syncId", serverMessages)
                .put("clientId", clientMessages);
        request.set("rpc", calls);
        HttpResponse<String> response = browser.postJson(server, path, request.toString());
        String body = response.body();
        if (response.statusCode() != 200 || !body.startsWith(GUARD)) {
            throw new AssertionError(server + " answered " + calls + " with " + response.statusCode() + ": " + body);
        }
        JsonNode message = read(body.substring(GUARD.length())).path(0);
        // A message that repairs the tab, or ends it, has other numbers, or none.
        if (message.path("syncId").asInt(-1) != serverMessages + 1
                || message.path("clientId").asInt(-1) != clientMessages + 1
                || message.path("resynchronize").asBoolean()) {
            throw new AssertionError(server + " answered " + request + " with " + body);
        }
        clientMessages++;
        show(message);
    }

    private void show(JsonNode message) {
        serverMessages = message.path("syncId").asInt();
        for (JsonNode change : message.path("changes")) {
            String value = change.path("value").asText();
            switch (change.path("key").asText()) {
                case "tag" -> nodes.put(value, change.path("node").asInt());
                case "text" -> text = value;
                default -> {}
            }
        }
    }

    private static JsonNode read(String json) {
        try {
            return JSON.readTree(json);
        } catch (JsonProcessingException e) {
            throw new AssertionError("no JSON: " + json, e);
        }
    }

    /** The text that the server sent last. */
    String text() {
        return text;
    }
}
