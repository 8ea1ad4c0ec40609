package io.understudy.codec;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.testkit.faults.Cluster;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What happens once in some thousand encodings. The output of the test has the figures of each kind. */
@Tag("process")
class ManyEncodingsOfChangingValuesTest {

    private static final int ENCODINGS = Integer.getInteger("understudy.encodings", 500);

    private static final Figures ENCODED = new Figures("encoded");
    private static final Figures COMMITTED = new Figures("committed and read on another node");

    private static final Cluster CLUSTER = ChangingValuesOnTwoNodesTest.cluster();

    private record Figures(String what, List<Encodings> kinds) {

        Figures(String what) {
            this(what, new ArrayList<>());
        }

        Encodings add(Encodings kind) {
            System.out.println(what + ", " + kind);
            kinds.add(kind);
            return kind;
        }

        @Override
        public String toString() {
            return kinds.size() + " kinds " + what + ", each " + ENCODINGS + " times: "
                    + kinds.stream().mapToInt(Encodings::good).sum() + " good, "
                    + kinds.stream().mapToInt(Encodings::kept).sum() + " kept changing, "
                    + kinds.stream().mapToInt(Encodings::bad).sum() + " undecodable or torn";
        }
    }

    @AfterAll
    static void end() {
        System.out.println(ENCODED);
        System.out.println(COMMITTED);
        CLUSTER.close();
    }

    @ParameterizedTest
    @Tag("whole")
    @MethodSource("io.understudy.codec.ChangingValuesTest#values")
    void areAsAtOneMomentOrKept(Changing value) {
        Encodings outcome = ENCODED.add(ChangingValuesTest.check(value, ENCODINGS, 5));
        assertTrue(outcome.good() > ENCODINGS / 10, "few succeeded");
    }

    /** The counter of kept values is judged, too. */
    @ParameterizedTest
    @Tag("whole")
    @MethodSource("io.understudy.codec.ChangingValuesTest#values")
    void areReadElsewhereOrCounted(Changing value) {
        COMMITTED.add(ChangingValuesOnTwoNodesTest.check(CLUSTER, value, ENCODINGS, 5));
    }

    /**
     * Then mostly a thread is stopped in the middle of a change when an encoding succeeds: the moment is none of the
     * application's.
     */
    @ParameterizedTest
    @Tag("whole")
    @MethodSource("io.understudy.codec.ChangingValuesTest#values")
    void canBeReadIfThreadsNeverRest(Changing value) {
        ChangingValuesTest.check(value.readable(), ENCODINGS, Integer.MAX_VALUE);
    }
}
