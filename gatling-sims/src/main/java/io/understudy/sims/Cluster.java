package io.understudy.sims;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The demo's nodes, through the launcher's API and their own health ports. Threads: any. */
final class Cluster {

    /**
     * A node as the launcher describes it.
     *
     * @param state {@code ready}, {@code dead} and so on
     * @param address of its own HTTP port, without a path
     * @param health where {@code /ready} and {@code /metrics} are, without a path
     */
    record Node(String name, String state, URI address, URI health) {

        boolean ready() {
            return state.equals("ready");
        }
    }

    /** How long one call may take; killing waits until the process is gone. */
    private static final Duration TIMEOUT = Duration.ofSeconds(15);

    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(2))
            .build();
    private final URI door;
    private final String token;

    /**
     * A cluster behind a front door.
     *
     * @param token what the launcher wants to see before it changes anything
     */
    Cluster(URI door, String token) {
        this.door = door;
        this.token = token;
    }

    List<Node> nodes() throws IOException, InterruptedException {
        List<Node> nodes = new ArrayList<>();
        for (JsonNode node :
                JSON.readTree(get(door.resolve("/cluster/api/nodes"))).path("nodes")) {
            nodes.add(new Node(
                    node.path("name").asText(),
                    node.path("state").asText(),
                    address(node, "url"),
                    address(node, "health")));
        }
        return nodes;
    }

    /**
     * The node of that name, as it is now.
     *
     * @throws IOException if there is none
     */
    Node node(String name) throws IOException, InterruptedException {
        for (Node node : nodes()) {
            if (node.name().equals(name)) {
                return node;
            }
        }
        throw new IOException("the launcher at " + door + " has no node '" + name + "'");
    }

    /** SIGKILL. */
    void kill(String name) throws IOException, InterruptedException {
        act(name, "kill");
    }

    void start(String name) throws IOException, InterruptedException {
        act(name, "start");
    }

    /** The node's own figures, in the text format of Prometheus. */
    String metrics(Node node) throws IOException, InterruptedException {
        return get(node.health().resolve("/metrics"));
    }

    private void act(String name, String action) throws IOException, InterruptedException {
        send(HttpRequest.newBuilder(door.resolve("/cluster/api/nodes/" + name + "/" + action))
                .POST(HttpRequest.BodyPublishers.noBody())
                .header("X-Understudy-Token", token));
    }

    private String get(URI address) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(address));
    }

    private String send(HttpRequest.Builder builder) throws IOException, InterruptedException {
        HttpRequest request = builder.timeout(TIMEOUT).build();
        HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() / 100 != 2) {
            throw new IOException(request.method() + " " + request.uri() + " was answered with status "
                    + response.statusCode() + ": " + response.body().strip());
        }
        return response.body();
    }

    /** Scheme, host and port only. */
    private static URI address(JsonNode node, String field) throws IOException {
        try {
            URI given = URI.create(node.path(field).asText());
            return URI.create(given.getScheme() + "://" + given.getRawAuthority());
        } catch (IllegalArgumentException e) {
            throw new IOException("the launcher describes a node without '" + field + "': " + node, e);
        }
    }
}
