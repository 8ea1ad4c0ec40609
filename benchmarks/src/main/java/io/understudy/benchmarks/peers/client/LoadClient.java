package io.understudy.benchmarks.peers.client;

import io.understudy.benchmarks.figures.Figures;
import io.understudy.benchmarks.peers.node.ProductNode;
import io.understudy.benchmarks.process.Peer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The clients of {@link ProductNode}s, in a JVM of their own.
 *
 * <pre>
 * LoadClient SOCKET INDEX ADDRESS HOSTS
 *
 * fill SESSIONS                     creates sessions, up to this number
 * open SESSIONS                     creates sessions of a shop, up to this number
 * load SESSIONS REQUESTS SECONDS    sends as many requests as 16 connections get answered
 * start SESSIONS SECONDS            the same with changes; reports how many were answered in each second
 * pace SESSIONS LENGTH SECONDS RATE sends RATE changes a second, of other sessions; reads the other node after each
 * mark                              marks the changes that were acknowledged so far
 * check HOST                        counts the sessions without such changes, and later changes, that a node lacks
 * check-paced HOST                  the same for the sessions of pace
 * probe HOST                        reports whether a new session arrives at that host's node
 * probe-shop HOST                   the same for a session of a shop
 * </pre>
 *
 * <p>Changes go to the node of this host. Answers are {@link Figures}.
 */
public final class LoadClient implements Peer.Actor {

    static final int CONNECTIONS = 16;

    /** Sessions that are paced at most. */
    private static final int PACED = 320;

    private static final int PROBE_LOOKS = 20;
    private static final long PROBE_MILLIS = 20;

    private final String address;
    private final List<ClientSession> sessions = new ArrayList<>();

    /** They are only read. */
    private final List<ClientSession> shops = new ArrayList<>();

    /** Others, as reading a session on the other node may change where a product keeps it. */
    private final List<ClientSession> paced = new ArrayList<>();

    private LoadClient(String address) {
        this.address = address;
    }

    public static void main(String[] args) throws Exception {
        Peer.serve(args[0], Integer.parseInt(args[1]), new LoadClient(args[2]));
        System.exit(0);
    }

    @Override
    public String act(List<String> words) throws Exception {
        Figures figures = switch (words.get(0)) {
            case "fill" -> fill(sessions, number(words, 1));
            case "open" -> open(number(words, 1));
            case "load" -> load(number(words, 1), Requests.valueOf(words.get(2)), Double.parseDouble(words.get(3)));
            case "start" -> start(number(words, 1), number(words, 2));
            case "pace" -> pace(words);
            case "mark" -> mark(sessions);
            case "check" -> check(sessions, ProductNode.host(address, number(words, 1)));
            case "check-paced" -> {
                mark(paced);
                yield check(paced, ProductNode.host(address, number(words, 1)));
            }
            case "probe" -> probe(ProductNode.host(address, number(words, 1)), false);
            case "probe-shop" -> probe(ProductNode.host(address, number(words, 1)), true);
            default -> throw new IllegalArgumentException("no verb " + words.get(0));
        };
        return figures.toString();
    }

    private static int number(List<String> words, int index) {
        return Integer.parseInt(words.get(index));
    }

    private Figures load(int count, Requests requests, double seconds) throws IOException {
        List<ClientSession> all = requests.reads() ? shops : sessions;
        return new SaturatingLoad(address, all.subList(0, count), requests).run(seconds);
    }

    private Figures start(int count, int seconds) throws IOException {
        SaturatingLoad load = new SaturatingLoad(address, sessions.subList(0, count), Requests.CHANGES);
        double broken = load.run(seconds).get("broken");
        Map<String, Number> bySecond = new LinkedHashMap<>();
        bySecond.put("broken", broken);
        List<Long> answered = load.answeredBySecond();
        for (int second = 0; second < seconds; second++) {
            bySecond.put("second-" + second, second < answered.size() ? answered.get(second) : 0);
        }
        return Figures.of(bySecond);
    }

    private Figures pace(List<String> words) throws Exception {
        fill(paced, Math.min(number(words, 1), PACED));
        return new PacedLoad(address, ProductNode.host(address, 1), paced, Boolean.parseBoolean(words.get(2)))
                .run(number(words, 3), number(words, 4));
    }

    private static Figures mark(List<ClientSession> sessions) {
        sessions.forEach(ClientSession::mark);
        return Figures.of(Map.of("marked", sessions.size()));
    }

    private Figures open(int count) throws IOException {
        try (HttpConnection connection = new HttpConnection(address, ProductNode.HTTP_PORT)) {
            while (shops.size() < count) {
                ClientSession session = new ClientSession();
                session.open(connection);
                shops.add(session);
            }
        }
        return Figures.of(Map.of("sessions", shops.size()));
    }

    private Figures fill(List<ClientSession> sessions, int count) throws IOException {
        try (HttpConnection connection = new HttpConnection(address, ProductNode.HTTP_PORT)) {
            while (sessions.size() < count) {
                ClientSession session = new ClientSession();
                session.begin(connection);
                sessions.add(session);
            }
        }
        return Figures.of(Map.of("sessions", sessions.size()));
    }

    /** {@code arrived} is 1 if the other node has the whole session, at once or soon. */
    private Figures probe(String other, boolean shop) throws IOException, InterruptedException {
        try (HttpConnection connection = new HttpConnection(address, ProductNode.HTTP_PORT);
                HttpConnection otherNode = new HttpConnection(other, ProductNode.HTTP_PORT)) {
            ClientSession session = new ClientSession();
            if (shop) {
                session.open(connection);
            } else {
                session.begin(connection);
            }
            int looks = 0;
            while (!(shop ? session.isOpen(otherNode) : session.isWhole(otherNode)) && looks < PROBE_LOOKS) {
                Thread.sleep(PROBE_MILLIS);
                looks++;
            }
            return Figures.of(Map.of("arrived", looks < PROBE_LOOKS ? 1 : 0));
        }
    }

    /** {@code missing} sessions, {@code incomplete} ones, and changes after the mark that are {@code lost}. */
    private static Figures check(List<ClientSession> sessions, String address) throws IOException {
        int missing = 0;
        int incomplete = 0;
        int lost = 0;
        try (HttpConnection connection = new HttpConnection(address, ProductNode.HTTP_PORT)) {
            for (ClientSession session : sessions) {
                HttpConnection.Response response = connection.ask(session.readAll());
                missing += ClientSession.missing(response) ? 1 : 0;
                incomplete += session.incomplete(response) ? 1 : 0;
                lost += session.lost(response);
            }
        }
        return Figures.of(Map.of("missing", missing, "incomplete", incomplete, "lost", lost));
    }
}
