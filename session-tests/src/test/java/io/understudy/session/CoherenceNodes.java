package io.understudy.session;

import io.understudy.NodeFigures;
import io.understudy.NodeStart;
import io.understudy.Understudy;
import io.understudy.config.UnderstudyConfig;
import io.understudy.config.session.Coherence;
import io.understudy.session.Commit.Outcome;
import io.understudy.testkit.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Nodes with one application, whose requests say how coherent they are. Threads: any, once started. */
final class CoherenceNodes implements AutoCloseable {

    private static final Duration LIMIT = Await.LIMIT;

    final List<Understudy> nodes = new ArrayList<>();
    final List<ReplicatedSessions> sessions = new ArrayList<>();

    /** Starts one more, and waits until it is ready. */
    void add(UnderstudyConfig config) {
        Understudy node = NodeStart.start(config);
        nodes.add(node);
        sessions.add(node.join("/shop", CoherenceNodes.class::getClassLoader));
        Await.until(LIMIT, node::readiness, () -> node.readiness().ready());
        Await.that("the others know that it is ready", () -> NodeFigures.knownReady(node, "/shop", nodes));
    }

    /** A request that sets an attribute of this session, which begins if it is not there. */
    Outcome write(int node, String id, Object value, @Nullable Coherence coherence) {
        LiveSession found = sessions.get(node).find(id);
        LiveSession session = found == null ? sessions.get(node).create(id, 1800) : found;
        long ticket = session.enter();
        try {
            session.attributes().put("value", value);
            return session.commit(coherence).await();
        } finally {
            session.exit(ticket);
        }
    }

    /** The attribute on that node; {@code null} if the session is not there. */
    @Nullable
    Object read(int node, String id) {
        LiveSession session = sessions.get(node).find(id);
        return session == null ? null : session.attributes().get("value");
    }

    /** The first node's gauge: sessions, changes or bytes at risk. */
    long atRisk(String what) {
        return Objects.requireNonNull(NodeFigures.momentary(nodes.get(0)).get(what + "_at_risk"));
    }

    @Override
    public void close() {
        nodes.forEach(Understudy::close);
    }
}
