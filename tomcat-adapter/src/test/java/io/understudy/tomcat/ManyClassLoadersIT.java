package io.understudy.tomcat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same with more redeployments than a bounded cache would keep. */
@Tag("process")
class ManyClassLoadersIT {

    @Test
    void theLoadersOfAllRedeploymentsAreCollected(@TempDir Path directory) throws Exception {
        try (Redeployments redeployments = new Redeployments(directory)) {
            redeployments.areCollected(20);
        }
    }
}
