package io.understudy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.understudy.metrics.ReplicationMXBean;
import io.understudy.testkit.faults.Cluster;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What JMX shows of a node, and what showing it takes. */
@Tag("cluster")
class NodeBeanTest {

    @Test
    void anAttributeComputesItsOwnFigureAlone() throws Exception {
        try (Cluster cluster = Cluster.of(1, Map.of())) {
            List<String> computed = new ArrayList<>();
            Map<String, Supplier<@Nullable Long>> figures = new TreeMap<>();
            cluster.node(0)
                    .gauges()
                    .forEach((name, value) -> figures.put(name, () -> {
                        computed.add(name);
                        return value;
                    }));
            NodeBean bean = new NodeBean(cluster.node(0), new NodeGauges(figures));
            Map<String, List<String>> byAttribute = new TreeMap<>();
            for (Method method : ReplicationMXBean.class.getMethods()) {
                if (method.getParameterCount() == 0 && method.getName().startsWith("get")) {
                    computed.clear();
                    method.invoke(bean);
                    byAttribute.put(method.getName().substring(3), List.copyOf(computed));
                }
            }
            assertEquals(List.of("bytes_at_risk"), byAttribute.get("BytesAtRisk"));
            assertEquals(List.of("sessions"), byAttribute.get("Sessions"));
            byAttribute.values().forEach(each -> assertFalse(each.size() > 1, byAttribute.toString()));
        }
    }

    @Test
    void aFigureThatANodeHasNotIsLeftOut() {
        NodeGauges gauges = new NodeGauges(Map.of("there", () -> 3L, "not_there", () -> null));
        assertEquals(Map.of("there", 3L), gauges.all());
        assertEquals(-1, gauges.value("not_there", -1));
        assertEquals(-1, gauges.value("unknown", -1));
        assertEquals(3, gauges.value("there", -1));
    }
}
