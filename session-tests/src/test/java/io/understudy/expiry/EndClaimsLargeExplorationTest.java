package io.understudy.expiry;

import io.understudy.expiry.EndClaimsExplorationTest.Case;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every order in which things can happen, in scenarios that have some hundred thousand states. */
@Tag("process")
class EndClaimsLargeExplorationTest {

    @Tag("whole")
    @ParameterizedTest
    @MethodSource("io.understudy.expiry.EndClaimsExplorationTest#largeCases")
    void oneTellsAndNobodyUsesItAfterwardsInAnyOrderOfEvents(Case tried) {
        EndClaimsExplorationTest.check(tried);
    }
}
