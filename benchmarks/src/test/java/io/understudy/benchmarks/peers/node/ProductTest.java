package io.understudy.benchmarks.peers.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("rules")
class ProductTest {

    private static final String ALL = String.join(
            ":",
            "/p/benchmarks/target/classes",
            "/p/session-core/target/classes",
            "/p/tomcat-adapter/target/understudy-tomcat-1.jar",
            "/r/org/apache/tomcat/embed/tomcat-embed-core/11/tomcat-embed-core-11.jar",
            "/r/org/apache/tomcat/tomcat-catalina-ha/11/tomcat-catalina-ha-11.jar",
            "/r/org/jgroups/jgroups/5/jgroups-5.jar",
            "/r/org/infinispan/infinispan-core/15/infinispan-core-15.jar",
            "/r/org/eclipse/jetty/jetty-server/12/jetty-server-12.jar",
            "/p/benchmarks/target/peers/infinispan-jgroups.jar");

    private static List<String> names(Product product) {
        return List.of(product.classPath(ALL, ":").split(":", -1)).stream()
                .map(entry -> entry.replaceAll("/target/classes$", "").replaceAll(".*/", ""))
                .toList();
    }

    @Test
    void referenceHasTheContainerAlone() {
        assertEquals(List.of("benchmarks", "tomcat-embed-core-11.jar"), names(Product.TOMCAT));
        assertEquals(List.of("benchmarks", "jetty-server-12.jar"), names(Product.JETTY));
    }

    @Test
    void productsHaveNoneOfAnotherProduct() {
        assertEquals(
                List.of("benchmarks", "tomcat-embed-core-11.jar", "tomcat-catalina-ha-11.jar"),
                names(Product.DELTA_SYNC));
        assertEquals(
                List.of(
                        "benchmarks",
                        "session-core",
                        "understudy-tomcat-1.jar",
                        "tomcat-embed-core-11.jar",
                        "jgroups-5.jar"),
                names(Product.TOMCAT_COHERENT));
    }

    @Test
    void infinispanHasAJGroupsOfItsOwn() {
        assertEquals(
                List.of("benchmarks", "infinispan-core-15.jar", "jetty-server-12.jar", "infinispan-jgroups.jar"),
                names(Product.INFINISPAN));
    }

    @Test
    void firstProductOfEachContainerIsTheReference() {
        for (Product.Container container : Product.Container.values()) {
            assertFalse(container.products().get(0).replicates());
            assertTrue(container.products().stream().skip(1).allMatch(Product::replicates));
        }
    }
}
