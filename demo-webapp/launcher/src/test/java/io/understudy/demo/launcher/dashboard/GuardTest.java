package io.understudy.demo.launcher.dashboard;

import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("rules")
final class GuardTest {

    private final Guard guard = new Guard();

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "localhost:8080", "127.0.0.1:1", "[::1]:8080"})
    void loopbackNamesAreServed(String host) {
        assertNull(guard.refuseToShow(host));
        assertNull(guard.refuseToAct(host, null, guard.token()));
        assertNull(guard.refuseToAct(host, "http://" + host, guard.token()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"evil.example", "localhost.evil.example", "127.0.0.1.evil.example:80", "", "localhost:x"})
    void aReboundNameIsNotServedEvenWithTheToken(String host) {
        assertNotNull(guard.refuseToShow(host));
        assertNotNull(guard.refuseToAct(host, null, guard.token()));
    }

    @Test
    void anActionNeedsTheTokenAndNoForeignOrigin() {
        assertNotNull(guard.refuseToAct("localhost:8080", null, null));
        assertNotNull(guard.refuseToAct("localhost:8080", null, ""));
        assertNotNull(guard.refuseToAct("localhost:8080", null, guard.token() + "0"));
        assertNotNull(guard.refuseToAct("localhost:8080", "http://evil.example", guard.token()));
        assertNotNull(guard.refuseToAct("localhost:8080", "http://localhost:9090", guard.token()));
        assertNotNull(guard.refuseToAct("localhost:8080", "null", guard.token()));
        assertNotNull(guard.refuseToAct(null, null, guard.token()));
    }

    @Test
    void theTokenIsAnotherOneAtEachStart() {
        assertNotEquals(guard.token(), new Guard().token());
    }
}
