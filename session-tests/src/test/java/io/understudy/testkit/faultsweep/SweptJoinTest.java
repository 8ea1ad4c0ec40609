package io.understudy.testkit.faultsweep;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** As {@link SweptCodeTest}, while a node joins. */
@Tag("process")
@Timeout(1800)
class SweptJoinTest {

    @ParameterizedTest
    @Tag("whole")
    @ValueSource(
            strings = {
                "PendingConnections",
                "DaemonThreads",
                "SpillDirectory.in:",
                "SpillDirectory.locked:",
                "RETRY_VERIFY_SUSPECT2.",
                "Memory.",
                "GAPSKIP_NAKACK4.",
            })
    void noPlaceOfThisCodeBreaksAnything(String code) throws Exception {
        SweptCodeTest.check(Scenario.JOIN, code);
    }
}
