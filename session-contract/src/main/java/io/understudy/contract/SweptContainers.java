package io.understudy.contract;

import io.understudy.NodeFigures;
import io.understudy.config.Setting;
import io.understudy.testkit.Await;
import io.understudy.testkit.Browser;
import io.understudy.testkit.faultsweep.Leftovers;
import io.understudy.testkit.faultsweep.Swept;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Two containers with sessions in coherent mode, and locks. Each run has a browser of its own. Threads: one. */
final class SweptContainers implements Swept {

    private static final int NODES = 2;

    /** Far more than a node needs to get over anything. */
    private static final Duration LIMIT = Await.LIMIT;

    private static final String DEGRADED = "X-Degraded";
    private static final String NO_SESSION = "no session";

    private final SweptRequest swept;
    private final Tasks tasks = new Tasks();
    private final Servers servers;
    private final String begin = tasks.add(SweptContainers::begin);
    private final String use = tasks.add(SweptContainers::use);
    private final String show = tasks.add(SweptContainers::show);
    private final String end =
            tasks.add((request, response) -> request.getSession(false).invalidate());
    private final String act;

    private final Map<String, String> held = new HashMap<>();
    private Browser browser = new Browser();
    private int run;
    private @Nullable HttpResponse<String> response;

    SweptContainers(ContractContainer container, SweptRequest swept) throws Exception {
        this.swept = swept;
        this.act = tasks.add(swept::run);
        this.servers = new Servers(
                container,
                tasks,
                NODES,
                Map.of(
                        Setting.ACK_TIMEOUT, "5s",
                        Setting.TOUCH_INTERVAL, "100ms",
                        Setting.RECONCILE_INTERVAL, "2s",
                        Setting.SESSION_LOCK, "on",
                        Setting.DEGRADED_HEADER, DEGRADED));
    }

    private static void begin(HttpServletRequest request, HttpServletResponse response) throws IOException {
        HttpSession session = request.getSession();
        session.setAttribute(SweptRequest.LIST, SweptRequest.begun());
        session.setAttribute("kept", request.getParameter("run"));
        response.getWriter().print("begun");
    }

    private static void use(HttpServletRequest request, HttpServletResponse response) throws IOException {
        request.getSession(false).setAttribute(request.getParameter("name"), "used");
        response.getWriter().print("used");
    }

    private static void show(HttpServletRequest request, HttpServletResponse response) throws IOException {
        HttpSession session = request.getSession(false);
        if (session == null) {
            response.getWriter().print(NO_SESSION);
            return;
        }
        for (String name : Collections.list(session.getAttributeNames())) {
            response.getWriter().println(name + "=" + session.getAttribute(name));
        }
    }

    @Override
    public void prepare() {
        run++;
        held.clear();
        await("a request before anything is thrown is acknowledged", () -> run, () -> {
            browser = new Browser();
            return acknowledged(browser.send(servers.server(0), begin + "?run=" + run));
        });
        held.put("kept", String.valueOf(run));
        // The response leaves before the request's end, which passes places that are about to throw.
        await("the request is over", () -> inUse(0), () -> inUse(0) == 0);
    }

    /** A POST: the client sends none a second time when its connection breaks. */
    @Override
    public void act() {
        response = null;
        try {
            response = browser.post(servers.server(1), act, "");
        } catch (CompletionException e) {
            throw new AssertionError("the request was not answered", e);
        }
    }

    /** The response to the request that something was thrown in. */
    HttpResponse<String> response() {
        return Objects.requireNonNull(response);
    }

    boolean degraded() {
        return response().headers().firstValue(DEGRADED).isPresent();
    }

    private static boolean acknowledged(HttpResponse<String> response) {
        return response.statusCode() == 200
                && response.headers().firstValue(DEGRADED).isEmpty();
    }

    @Override
    public void check() {
        boolean over = swept == SweptRequest.LOGOUT && acknowledged(response());
        if (acknowledged(response())) {
            held.putAll(swept.change());
            checkAcknowledged(over);
        }
        for (int node = 0; node < NODES && !over; node++) {
            awaitAnswer(node);
        }
        for (int node = 0; node < NODES; node++) {
            int at = node;
            await("node " + at + " after all", () -> left(at), () -> left(at).isEmpty());
        }
    }

    private void checkAcknowledged(boolean over) {
        for (int node = 0; node < NODES; node++) {
            String state = state(node);
            boolean right =
                    over ? state.equals(NO_SESSION) : state.lines().toList().containsAll(lines());
            if (!right) {
                throw new AssertionError(
                        (over ? "the end" : held) + " is acknowledged, and node " + node + " has " + state);
            }
        }
    }

    private List<String> lines() {
        return held.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .toList();
    }

    /**
     * A request is acknowledged, unless the session is over everywhere, and all nodes show the same. Then the session
     * ends.
     */
    private void awaitAnswer(int node) {
        String name = "after" + node;
        await("a request on node " + node, this::states, () -> {
            if (swept == SweptRequest.LOGOUT && isOverEverywhere()) {
                return true;
            }
            return acknowledged(browser.send(servers.server(node), use + "?name=" + name));
        });
        if (isOverEverywhere()) {
            return;
        }
        held.put(name, "used");
        checkAcknowledged(false);
        if (!state(0).equals(state(1))) {
            throw new AssertionError("nodes differ: " + states());
        }
        if (node == NODES - 1) {
            await("the session goes on", this::states, () -> {
                HttpResponse<String> unused = browser.send(servers.server(node), end);
                return isOverEverywhere();
            });
        }
    }

    private String state(int node) {
        return browser.get(servers.server(node), show);
    }

    private boolean isOverEverywhere() {
        return states().values().stream().allMatch(NO_SESSION::equals);
    }

    private Map<Integer, String> states() {
        Map<Integer, String> states = new TreeMap<>();
        for (int node = 0; node < NODES; node++) {
            states.put(node, state(node));
        }
        return states;
    }

    private Map<String, Long> left(int at) {
        Map<String, Long> left = Leftovers.of(servers.cluster().node(at));
        long inUse = inUse(at);
        if (inUse != 0) {
            left.put("sessions_in_use", inUse);
        }
        return left;
    }

    private long inUse(int at) {
        return NodeFigures.sessionsInUse(servers.cluster().node(at));
    }

    private static void await(String what, Supplier<?> state, BooleanSupplier condition) {
        Await.until(LIMIT, () -> what + ": " + state.get(), condition);
    }

    @Override
    public void close() {
        servers.close();
    }
}
