package io.understudy.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.understudy.junit.samples.CleanCart;
import java.lang.management.ManagementFactory;
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
        WarApplication application =
                new WarApplication(SampleWar.of(CleanCart.class).toAbsolutePath(), List.of(), "");
        int before = applications().size();
        try (TomcatServer one = application.start("one", new StandardManager());
                TomcatServer other = application.start("other", new StandardManager())) {
            assertEquals(before + 2, applications().size(), () -> one.name() + ", " + other.name());
        }
        assertEquals(before, applications().size());
    }
}
