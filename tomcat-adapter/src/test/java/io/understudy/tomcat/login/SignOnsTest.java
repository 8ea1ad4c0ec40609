package io.understudy.tomcat.login;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.Setting;
import io.understudy.testkit.Await;
import io.understudy.testkit.MovedTime;
import io.understudy.testkit.faults.Cluster;
import io.understudy.tomcat.login.SignOns.Member;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Sign-ons whose sessions are gone without a word. */
@Tag("cluster")
class SignOnsTest {

    private static final String ID = "sso";
    private static final Member MEMBER = new Member("localhost", "/shop", "a");
    private static final Predicate<Member> NONE_RUNS = List.<Member>of()::contains;
    private static final Predicate<Member> RUNS = MEMBER::equals;

    private final MovedTime time = new MovedTime();
    private final Cluster cluster = Cluster.of(2, Map.of(Setting.TOUCH_INTERVAL, "50ms"), time, 1);
    private final List<SignOns> nodes = List.of(new SignOns(cluster.sessions(0)), new SignOns(cluster.sessions(1)));

    @BeforeEach
    void begin() {
        nodes.get(0).sign(ID, null, "FORM").await();
        assertTrue(nodes.get(1).containsKey(ID));
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    /** Tomcat's background run on each node. */
    private void run(Predicate<Member> runs) {
        nodes.forEach(node -> node.expireIdle(runs));
    }

    private void gone() {
        Await.that("it ends on both nodes", () -> {
            run(NONE_RUNS);
            return nodes.stream().noneMatch(node -> node.containsKey(ID));
        });
    }

    private void kept(Predicate<Member> runs) {
        run(runs);
        assertTrue(nodes.stream().allMatch(node -> node.containsKey(ID)));
    }

    @Test
    void oneThatNobodyUsesEndsOnAllNodes() {
        nodes.get(0).join(ID, MEMBER, 1800).await();
        time.advance(Duration.ofHours(23));
        kept(NONE_RUNS);
        time.advance(Duration.ofHours(2));
        gone();
    }

    @Test
    void oneThatARequestUsesGoesOn() {
        time.advance(Duration.ofHours(23));
        nodes.get(1).used(ID);
        time.advance(Duration.ofHours(2));
        kept(NONE_RUNS);
        time.advance(Duration.ofHours(25));
        gone();
    }

    @Test
    void oneWithASessionThatRunsGoesOn() {
        nodes.get(0).join(ID, MEMBER, 1800).await();
        time.advance(Duration.ofHours(23));
        kept(RUNS);
        time.advance(Duration.ofHours(23));
        kept(RUNS);
        time.advance(Duration.ofHours(23));
        kept(NONE_RUNS);
    }

    /** No node's background run came in time. */
    @Test
    void oneThatIsDueGoesOnWithASessionThatRuns() {
        nodes.get(0).join(ID, MEMBER, 1800).await();
        time.advance(Duration.ofHours(25));
        assertEquals(1, cluster.sessions(0).expirable().size(), "it is due");
        run(RUNS);
        Await.that("it is there on both nodes", () -> nodes.stream().allMatch(node -> node.containsKey(ID)));
        time.advance(Duration.ofHours(23));
        kept(NONE_RUNS);
    }

    @Test
    void oneOutlivesASessionThatMayBeIdleForLong() {
        nodes.get(0).join(ID, MEMBER, 3 * SignOns.LEAST_IDLE_SECONDS).await();
        time.advance(Duration.ofDays(5));
        kept(NONE_RUNS);
        time.advance(Duration.ofDays(2));
        gone();
    }

    @Test
    void oneWithASessionThatNeverEndsNeverDoes() {
        nodes.get(0).join(ID, MEMBER, -1).await();
        nodes.get(0).join(ID, new Member("localhost", "/shop", "b"), 1800).await();
        time.advance(Duration.ofDays(1000));
        kept(NONE_RUNS);
    }

    @Test
    void aSecondUseWithinAMinuteIsNotNoted() {
        time.advance(Duration.ofSeconds(59));
        nodes.get(1).used(ID);
        assertFalse(cluster.sessions(1).find(ID).idleMillis() < 59_000);
    }
}
