package io.understudy.testkit.faultsweep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * All places of code that once did not get over what was thrown at one of them. Places of a join are in {@link
 * SweptJoinTest}: each class has a JVM, and a JVM has one sweep at a time.
 */
@Tag("process")
@Timeout(1800)
class SweptCodeTest {

    @ParameterizedTest
    @CsvSource({
        "EXPIRY, ClusterExpiry.",
        "COHERENT, ScopeOrder.",
        "IN_PLACE, GuardedCodec.decode",
        "LOGOUT, RequestedEnds.begin",
        "COHERENT, ReplicaStore.header",
        "STOP, Outbox.",
        "STOP, SpillDirectory.",
        "DEPLOY, Application", // Also its settings, attributes, joins and group.
    })
    void noPlaceOfThisCodeBreaksAnything(Scenario scenario, String code) throws Exception {
        check(scenario, code);
    }

    /** Each place throws in a run of its own, and breaks nothing. */
    static void check(Scenario scenario, String code) throws Exception {
        Queue<String> broken = new ConcurrentLinkedQueue<>();
        Map<String, Long> figures = PointedSweep.at(scenario, code, broken::add);
        assertEquals(List.of(), List.copyOf(broken), figures::toString);
        assertTrue(figures.get("places_there") > 0, figures::toString);
        assertTrue(figures.get("thrown") * 2 >= figures.get("places_there"), figures::toString);
    }
}
