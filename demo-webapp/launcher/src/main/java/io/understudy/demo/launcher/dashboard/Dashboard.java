package io.understudy.demo.launcher.dashboard;

import io.understudy.demo.launcher.cluster.ClusterNode;
import io.understudy.demo.launcher.cluster.DemoCluster;
import io.understudy.demo.launcher.cluster.NodeStatus;
import io.understudy.demo.launcher.cluster.Refused;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * The dashboard under {@code /cluster/}.
 *
 * <pre>
 * GET  /cluster/                            the page
 * GET  /cluster/api/nodes                   {"nodes":[{"name","container","url","health","pid","state","reason","sessions","starts","becameReady"}]}
 * POST /cluster/api/nodes/{name}/{action}   kill | stop | pause | resume | start; the node's state after it
 * </pre>
 *
 * <p>A POST needs the token of {@link Guard}. 403 without it, 404 for an unknown node or action, 409 if the action does
 * not fit the node's state. It answers when the action is done; {@code start} when the process was started.
 */
public final class Dashboard extends Handler.Abstract {

    private static final String ROOT = "/cluster";
    private static final String NODES = ROOT + "/api/nodes";

    private final DemoCluster cluster;
    private final Guard guard;
    private final String page;
    private final Executor executor;

    /**
     * @param executor for actions: an orderly stop takes seconds
     */
    public Dashboard(DemoCluster cluster, Guard guard, Executor executor) {
        this.cluster = cluster;
        this.guard = guard;
        this.executor = executor;
        this.page = page().replace("${token}", guard.token());
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        String path = Request.getPathInContext(request);
        if (!path.equals(ROOT) && !path.startsWith(ROOT + "/")) {
            return false;
        }
        response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
        response.getHeaders().put("X-Content-Type-Options", "nosniff");
        response.getHeaders().put("X-Frame-Options", "DENY");
        response.getHeaders()
                .put(
                        "Content-Security-Policy",
                        "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; "
                                + "img-src data:; frame-ancestors 'none'");
        switch (request.getMethod()) {
            case "GET", "HEAD" -> show(path, request, response, callback);
            case "POST" -> act(path, request, response, callback);
            default -> fail(response, callback, HttpStatus.METHOD_NOT_ALLOWED_405, "GET or POST");
        }
        return true;
    }

    private void show(String path, Request request, Response response, Callback callback) {
        String refusal = guard.refuseToShow(request.getHeaders().get(HttpHeader.HOST));
        if (refusal != null) {
            fail(response, callback, HttpStatus.FORBIDDEN_403, refusal);
        } else if (path.equals(ROOT + "/")) {
            answer(response, callback, HttpStatus.OK_200, "text/html", page);
        } else if (path.equals(NODES)) {
            String nodes = cluster.nodes().stream()
                    .map(node -> json(node.status()))
                    .collect(Collectors.joining(",", "{\"nodes\":[", "]}\n"));
            answer(response, callback, HttpStatus.OK_200, "application/json", nodes);
        } else if (path.equals(ROOT)) {
            Response.sendRedirect(request, response, callback, ROOT + "/");
        } else {
            fail(response, callback, HttpStatus.NOT_FOUND_404, "there is " + ROOT + "/ and " + NODES);
        }
    }

    private void act(String path, Request request, Response response, Callback callback) {
        String refusal = guard.refuseToAct(
                request.getHeaders().get(HttpHeader.HOST),
                request.getHeaders().get(HttpHeader.ORIGIN),
                request.getHeaders().get(Guard.HEADER));
        if (refusal != null) {
            fail(response, callback, HttpStatus.FORBIDDEN_403, refusal);
            return;
        }
        String[] steps = path.startsWith(NODES + "/")
                ? path.substring(NODES.length() + 1).split("/", -1)
                : new String[0];
        ClusterNode node = steps.length == 2 ? node(steps[0]) : null;
        Action action = steps.length == 2 ? Action.named(steps[1]) : null;
        if (node == null || action == null) {
            fail(
                    response,
                    callback,
                    HttpStatus.NOT_FOUND_404,
                    "POST " + NODES + "/{"
                            + cluster.nodes().stream().map(ClusterNode::name).collect(Collectors.joining("|")) + "}/{"
                            + Action.names() + "}");
            return;
        }
        executor.execute(() -> run(node, action, response, callback));
    }

    private static void run(ClusterNode node, Action action, Response response, Callback callback) {
        try {
            action.on(node);
            answer(response, callback, HttpStatus.OK_200, "application/json", json(node.status()) + "\n");
        } catch (Refused e) {
            fail(response, callback, HttpStatus.CONFLICT_409, e.getMessage());
        } catch (IOException e) {
            fail(response, callback, HttpStatus.INTERNAL_SERVER_ERROR_500, e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            fail(response, callback, HttpStatus.SERVICE_UNAVAILABLE_503, "the launcher is ending");
        }
    }

    private @Nullable ClusterNode node(String name) {
        return cluster.nodes().stream()
                .filter(node -> node.name().equals(name))
                .findAny()
                .orElse(null);
    }

    private static String json(NodeStatus status) {
        return "{\"name\":" + Json.quote(status.name()) + ",\"container\":" + Json.quote(status.container())
                + ",\"url\":\"http://127.0.0.1:" + status.httpPort() + "/\",\"health\":\"http://127.0.0.1:"
                + status.healthPort() + "/ready\",\"pid\":" + (status.pid() < 0 ? "null" : status.pid())
                + ",\"state\":" + Json.quote(status.state().text()) + ",\"reason\":" + Json.quote(status.reason())
                + ",\"sessions\":" + (status.sessions() < 0 ? "null" : status.sessions()) + ",\"starts\":"
                + status.starts() + ",\"becameReady\":" + status.becameReady() + "}";
    }

    private static void fail(Response response, Callback callback, int status, @Nullable String text) {
        answer(response, callback, status, "text/plain", text + "\n");
    }

    private static void answer(Response response, Callback callback, int status, String type, String text) {
        response.setStatus(status);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, type + ";charset=utf-8");
        Content.Sink.write(response, true, text, callback);
    }

    private static String page() {
        try (InputStream html = Objects.requireNonNull(Dashboard.class.getResourceAsStream("dashboard.html"))) {
            return new String(html.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
