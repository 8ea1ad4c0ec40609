package io.understudy.testkit.faultpoints;

import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.understudy.Understudy;
import io.understudy.testkit.OwnPorts;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a swept cluster has beside that of the class path, and what a JVM has once. */
@Tag("cluster")
class PointedLoaderTest {

    private final PointedLoader loader = new PointedLoader();

    @Test
    void coreIsLoadedAgain() throws Exception {
        assertNotSame(Understudy.class, loader.loadClass(Understudy.class.getName()));
    }

    /** A second claim of ports ended the first one's lock, and two JVMs took the same ports. */
    @Test
    void portsAreClaimedOnce() throws Exception {
        assertSame(OwnPorts.class, loader.loadClass(OwnPorts.class.getName()));
    }
}
