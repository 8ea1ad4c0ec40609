package io.understudy;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.Setting;
import io.understudy.testkit.faults.Cluster;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** An application that fails while it joins its node, as frameworks deploy it again. */
@Tag("cluster")
class FailedJoinTest {

    static Stream<Arguments> loaders() {
        Supplier<ClassLoader> byError = () -> {
            throw new NoClassDefFoundError("org/example/loaders/Loader");
        };
        Supplier<ClassLoader> byException = () -> {
            throw new IllegalStateException("its loader is closed");
        };
        @SuppressWarnings("NullAway") // Its callers may not have the annotations.
        Supplier<ClassLoader> none = () -> null;
        return Stream.of(
                Arguments.of(NoClassDefFoundError.class, byError),
                Arguments.of(IllegalStateException.class, byException),
                Arguments.of(NullPointerException.class, none));
    }

    /** Nobody could close what its container never got. */
    @ParameterizedTest
    @MethodSource("loaders")
    void anApplicationWhoseLoaderFailsHasNotJoined(Class<? extends Throwable> thrown, Supplier<ClassLoader> loader) {
        try (Cluster cluster = Cluster.of(1, Map.of(Setting.RETAIN_UNDEPLOYED, "0s"))) {
            Understudy node = cluster.node(0);
            Throwable failure = assertThrows(thrown, () -> node.join("/other", loader));
            assertTrue(failure.getMessage().contains("loader"), failure::toString);
            node.join("/other", FailedJoinTest.class::getClassLoader).close();
            Readiness readiness = node.readiness();
            assertTrue(readiness.reason().contains("of 1 application(s)"), readiness.reason());
        }
    }
}
