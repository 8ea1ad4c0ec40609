package io.understudy.lock;

import io.understudy.lock.LockWorld.Scenario;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every order in which things can happen, in scenarios that have some hundred thousand states. */
@Tag("process")
class SessionLocksLargeExplorationTest {

    @Tag("whole")
    @ParameterizedTest
    @MethodSource("io.understudy.lock.SessionLocksExplorationTest#largeScenarios")
    void oneHolderAndNobodyForgottenInAnyOrderOfEvents(Scenario tried) {
        SessionLocksExplorationTest.check(tried);
    }
}
