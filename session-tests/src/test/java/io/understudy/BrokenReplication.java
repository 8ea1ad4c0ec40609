package io.understudy;

import static io.understudy.testkit.SessionRequest.use;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.audit.AuditEvent;
import io.understudy.codec.Compiled;
import io.understudy.config.Setting;
import io.understudy.metrics.MetricsText;
import io.understudy.session.LiveSession;
import io.understudy.testkit.Await;
import io.understudy.testkit.LogLines;
import io.understudy.testkit.MovedTime;
import io.understudy.testkit.faults.Cluster;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.management.JMException;
import javax.management.ObjectName;
import javax.management.openmbean.TabularData;
import org.junit.jupiter.api.AfterEach;

/**
 * Two nodes with a clock that is moved by hand. The first writes, and replication to the second is broken in some way.
 */
abstract class BrokenReplication {

    static final String READ =
            "private void readObject(java.io.ObjectInputStream in) throws java.io.IOException, ClassNotFoundException"
                    + " { in.defaultReadObject(); %s }";
    static final String WRITE = "private void writeObject(java.io.ObjectOutputStream out) throws java.io.IOException"
            + " { out.defaultWriteObject(); %s }";

    final MovedTime time = new MovedTime();
    final LogLines log = new LogLines("io.understudy");
    final List<LiveSession> held = new ArrayList<>(); // What stays on its node goes with the session's object.
    Cluster cluster;

    static String cart(String members) {
        return "package shop; public class Cart implements java.io.Serializable {"
                + " private static final long serialVersionUID = 1; public int items; " + members + " }";
    }

    static Compiled carts(String members) {
        return Compiled.loader("shop.Cart", cart(members));
    }

    void start(ClassLoader first, ClassLoader second, Map<Setting, String> settings) {
        Map<Setting, String> all = new HashMap<>(Map.of(
                Setting.TOUCH_INTERVAL, "20ms",
                Setting.TAKE_OVER_REHEARSAL, "100%",
                Setting.MAX_ATTRIBUTE_BYTES, "2000",
                Setting.MAX_SESSION_BYTES, "3000"));
        all.putAll(settings);
        cluster = Cluster.of(2, all, time, 1);
        cluster.redeploy(0, first);
        cluster.redeploy(1, second);
    }

    void start(ClassLoader first, ClassLoader second) {
        start(first, second, Map.of());
    }

    @AfterEach
    void closeCluster() {
        cluster.close();
        log.close();
    }

    static Object instance(ClassLoader of) {
        return instance(of, "shop.Cart");
    }

    static Object instance(ClassLoader of, String name) {
        try {
            Object cart = of.loadClass(name).getConstructor().newInstance();
            cart.getClass().getField("items").setInt(cart, 5);
            return cart;
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }

    LiveSession session(String id, Object value) {
        LiveSession session = cluster.sessions(0).create(id, -1);
        held.add(session);
        use(session, () -> session.attributes().put("cart", value));
        return session;
    }

    long figure(int node, String name) {
        return NodeFigures.of(cluster.node(node)).getOrDefault(name, -1L);
    }

    void await(int node, String figure, long value) {
        Await.until(
                Await.LIMIT,
                () -> figure + " = " + value + " in " + NodeFigures.of(cluster.node(node)) + " "
                        + cluster.node(node).takeOverFailures(),
                () -> figure(node, figure) == value);
    }

    static Object byJmx(Understudy node, String attribute) throws JMException {
        ObjectName name = new ObjectName("io.understudy:type=Node,cluster="
                + ObjectName.quote(node.config().clusterName()) + ",node="
                + ObjectName.quote(node.config().nodeName()));
        Object value = ManagementFactory.getPlatformMBeanServer().getAttribute(name, attribute);
        if (value instanceof TabularData table) {
            Map<Object, Object> map = new HashMap<>();
            table.keySet()
                    .forEach(key -> map.put(
                            ((List<?>) key).get(0),
                            table.get(((List<?>) key).toArray()).get("value")));
            return map;
        }
        return value instanceof String[] lines ? List.of(lines) : value;
    }

    /**
     * A ready node names sessions for this reason alone: in the gauges, as text and by JMX; in the text of the
     * readiness; in the only line about a cause, which has all words; in the audit.
     *
     * @param where "here" or "elsewhere"
     */
    void named(int number, String where, String reason, long sessions, AuditEvent event, String... words)
            throws JMException {
        Understudy node = cluster.node(number);
        String gauge = "sessions_failing_" + where + "_" + reason;
        assertEquals(sessions, figure(number, gauge));
        assertTrue(MetricsText.of(node.metrics(), node.gauges())
                .contains("\nunderstudy_" + gauge + " " + sessions + "\n"));
        assertEquals(
                Map.of(reason, sessions),
                byJmx(node, where.equals("here") ? "SessionsFailingHere" : "SessionsFailingElsewhere"));
        Readiness readiness = node.readiness();
        assertTrue(readiness.ready());
        assertTrue(
                readiness
                        .reason()
                        .contains("sessions that would not survive " + where + ": " + sessions + " " + reason),
                readiness.reason());
        assertTrue(((String) byJmx(node, "Readiness")).contains("survive " + where + ": " + sessions + " " + reason));
        List<String> failures = node.takeOverFailures();
        assertEquals(1, failures.size(), failures.toString());
        for (String word : words) {
            assertTrue(failures.get(0).contains(word), word + " in " + failures);
        }
        assertEquals(failures, byJmx(node, "TakeOverFailures"));
        assertEquals(sessions, cluster.sessions(number).audit().of(event).size());
    }
}
