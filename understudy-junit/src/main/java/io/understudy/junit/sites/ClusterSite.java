package io.understudy.junit.sites;

import io.understudy.Understudy;
import io.understudy.config.Setting;
import io.understudy.doctor.Likeness;
import io.understudy.doctor.findings.Finding;
import io.understudy.junit.servers.Application;
import io.understudy.junit.servers.TomcatServer;
import io.understudy.session.ReplicatedCopy;
import io.understudy.session.ReplicatedSessions;
import io.understudy.tomcat.UnderstudyManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Two servers that take turns by a plan. The runs of all plans of a test are on the same two: what a server remembers of an
 * earlier run must not show, either.
 */
public final class ClusterSite implements Site {

    /** Until the other node has what a request changed: at once, unless the application is incoherent. */
    private static final Duration REPLICATED = Duration.ofSeconds(10);

    private static final long LOOK_AGAIN_MILLIS = 1;

    private record Node(Understudy understudy, UnderstudyManager manager, TomcatServer server) {

        ReplicatedSessions sessions() {
            return manager.replicated();
        }
    }

    private final Members members;
    private final List<Node> all = new ArrayList<>();
    private final List<Node> alive = new ArrayList<>();
    private Turns plan = new Turns(true, false, 0);

    /** The place among those alive of the one that answered last. */
    private int turn;

    /** In this run. */
    private boolean killed;

    private final AtomicInteger late = new AtomicInteger();

    private ClusterSite(Members members) {
        this.members = members;
    }

    /**
     * Starts the servers, and waits until they are ready.
     *
     * @param settings of the application, by name
     */
    static ClusterSite start(Application application, Map<String, String> settings) throws InterruptedException {
        ClusterSite site = new ClusterSite(Members.take());
        boolean started = false;
        try {
            site.deploy(application, settings);
            started = true;
            return site;
        } finally {
            if (!started) {
                site.close();
            }
        }
    }

    private void deploy(Application application, Map<String, String> settings) throws InterruptedException {
        String name = "/" + UUID.randomUUID();
        for (Understudy member : members.nodes()) {
            UnderstudyManager manager = new UnderstudyManager(member);
            manager.setApplicationName(name);
            manager.setProperty(Setting.SESSION_DOCTOR.key(), "log");
            settings.forEach(manager::setProperty);
            TomcatServer server = application.start(member.config().nodeName(), manager);
            Node node = new Node(member, manager, server);
            all.add(node);
            alive.add(node);
        }
        members.awaitReady();
    }

    /** How the servers take turns in the next run. */
    public void plan(Turns next) {
        plan = next;
        turn = 0;
        killed = false;
        late.set(0);
    }

    @Override
    public void begin(int port) {
        alive.forEach(node -> node.server().behind(port));
    }

    @Override
    public String contextPath() {
        return alive.get(0).server().contextPath();
    }

    @Override
    public String sessionCookie() {
        return alive.get(0).server().sessionCookie();
    }

    /** The kit kills a node between two requests, as it cannot compare a broken response. */
    @Override
    public TomcatServer next(int number, boolean quiet) {
        if (plan.kill() && number > plan.lastBeforeKill() && quiet && alive.size() > 1) {
            Node last = alive.get(turn);
            alive.remove(last);
            members.kill(last.understudy());
            killed = true;
            turn = 0;
        } else if (plan.switching() && number > 1) {
            turn = (turn + 1) % alive.size();
        }
        return alive.get(turn).server();
    }

    @Override
    public List<String> notes() {
        List<String> notes = new ArrayList<>();
        if (plan.kill() && !killed) {
            notes.add("no node was killed: after request " + plan.lastBeforeKill()
                    + " none began while no other one was under way");
        }
        if (late.get() > 0) {
            notes.add("changes of " + late + " requests were not on the other node after " + REPLICATED.toSeconds()
                    + " s; they are compared as they were then");
        }
        return notes;
    }

    /** As the other node would continue it; as the last one would continue it if it had no object of the session. */
    @Override
    public Map<String, Likeness> session(TomcatServer answered, String id) throws InterruptedException {
        Node there = alive.get(0);
        for (Node node : alive) {
            if (node.server() == answered) {
                awaitSame(node.sessions(), id);
            } else {
                there = node;
            }
        }
        ReplicatedSessions sessions = there.sessions();
        return there.server().likenesses(() -> ReplicatedCopy.of(sessions, id));
    }

    private void awaitSame(ReplicatedSessions here, String id) throws InterruptedException {
        long end = System.nanoTime() + REPLICATED.toNanos();
        for (Node node : alive) {
            while (!ReplicatedCopy.same(here, node.sessions(), id)) {
                if (System.nanoTime() > end) {
                    late.incrementAndGet();
                    return;
                }
                Thread.sleep(LOOK_AGAIN_MILLIS);
            }
        }
    }

    @Override
    public List<Finding> findings() {
        return all.stream()
                .flatMap(node -> node.understudy().findings().stream())
                .toList();
    }

    /** Nothing of the application is left on the nodes. */
    @Override
    public void close() {
        try {
            all.forEach(node -> node.server().close());
        } finally {
            members.close();
        }
    }
}
