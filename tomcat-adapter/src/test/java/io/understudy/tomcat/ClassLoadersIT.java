package io.understudy.tomcat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A redeployed application leaves none of its classes behind. */
@Tag("container")
class ClassLoadersIT {

    @Test
    void theLoadersOfAllRedeploymentsAreCollected(@TempDir Path directory) throws Exception {
        try (Redeployments redeployments = new Redeployments(directory)) {
            redeployments.areCollected(6);
        }
    }
}
