package io.understudy;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.Setting;
import io.understudy.testkit.faults.Cluster;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An application that fails while it joins its node, as frameworks deploy it again. */
@Tag("cluster")
class FailedJoinTest {

    /** Nobody could close what its container never got. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anApplicationWhoseLoaderFailsHasNotJoined(boolean byError) {
        try (Cluster cluster = Cluster.of(1, Map.of(Setting.RETAIN_UNDEPLOYED, "0s"))) {
            Understudy node = cluster.node(0);
            Class<? extends Throwable> thrown = byError ? NoClassDefFoundError.class : IllegalStateException.class;
            assertThrows(
                    thrown,
                    () -> node.join("/other", () -> {
                        if (byError) {
                            throw new NoClassDefFoundError("org/example/Loader");
                        }
                        throw new IllegalStateException("its loader is closed");
                    }));
            node.join("/other", FailedJoinTest.class::getClassLoader).close();
            Readiness readiness = node.readiness();
            assertTrue(readiness.reason().contains("of 1 application(s)"), readiness.reason());
        }
    }
}
