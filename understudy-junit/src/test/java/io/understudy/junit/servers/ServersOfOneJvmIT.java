package io.understudy.junit.servers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.understudy.junit.samples.CleanCart;
import io.understudy.junit.samples.SampleWar;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import javax.management.ObjectName;
import org.apache.catalina.session.StandardManager;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The servers of a test start at once, in the JVM of the test. */
@Tag("container")
class ServersOfOneJvmIT {

    private static Set<ObjectName> applications() throws Exception {
        return ManagementFactory.getPlatformMBeanServer()
                .queryNames(new ObjectName("*:type=ParallelWebappClassLoader,*"), null);
    }

    @Test
    void eachHasMBeansOfItsOwn() throws Exception {
        Application application =
                Application.ofWar(SampleWar.of(CleanCart.class).toString(), List.of(), "");
        int before = applications().size();
        try (TomcatServer one = application.start("one", new StandardManager());
                TomcatServer other = application.start("other", new StandardManager())) {
            assertEquals(before + 2, applications().size(), () -> one.name() + ", " + other.name());
        }
        assertEquals(before, applications().size());
    }

    @Test
    void tomcatsDirectoriesAreDeletedAtTheEndOfTheJvm() throws Exception {
        Application application =
                Application.ofWar(SampleWar.of(CleanCart.class).toString(), List.of(), "");
        application.start("one", new StandardManager()).close();
        Path deleted = TemporaryFiles.directory("any").getParent();
        assertEquals(deleted, Path.of(System.getProperty("catalina.home")).getParent());
        assertEquals(deleted, Path.of(System.getProperty("catalina.base")).getParent());
    }
}
