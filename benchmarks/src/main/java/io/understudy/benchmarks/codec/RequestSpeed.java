package io.understudy.benchmarks.codec;

import io.understudy.Understudy;
import io.understudy.session.LiveSession;
import io.understudy.session.ReplicatedSessions;
import io.understudy.testkit.Await;
import io.understudy.testkit.LoopbackCluster;
import io.understudy.testkit.SessionRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.Blackhole;

/** Requests that change nothing of a {@link ShopSession}: what it takes to find that out. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class RequestSpeed {

    private final Understudy node = Understudy.start(LoopbackCluster.configs(1).get(0));
    private final ReplicatedSessions sessions = node.join("/shop", RequestSpeed.class::getClassLoader);

    /** Makes the session. */
    @Setup
    public void start() {
        Await.until(
                Duration.ofSeconds(30), node::readiness, () -> node.readiness().ready());
        sessions.bindRequests(SessionRequest::ticketOf);
        LiveSession session = sessions.create("a", 1800);
        List<Object> attributes = ShopSession.attributes();
        SessionRequest.use(session, () -> {
            session.attributes().put("user", "ada");
            session.attributes().put("profile", attributes.get(0));
            session.attributes().put("cart", attributes.get(1));
        });
    }

    /** The node. */
    @TearDown
    public void stop() {
        node.close();
    }

    private void read(Blackhole hole, String... names) {
        LiveSession session = SessionRequest.find(sessions, "a");
        SessionRequest.use(session, () -> {
            for (String name : names) {
                hole.consume(session.attributes().get(name));
            }
        });
    }

    /** No attribute. */
    @Benchmark
    public void readsNothing(Blackhole hole) {
        read(hole);
    }

    /** What can't change. */
    @Benchmark
    public void readsText(Blackhole hole) {
        read(hole, "user");
    }

    /** All that may have been changed in place. */
    @Benchmark
    public void readsObjects(Blackhole hole) {
        read(hole, "profile", "cart");
    }
}
