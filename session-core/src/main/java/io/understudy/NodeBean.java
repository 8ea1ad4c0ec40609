package io.understudy;

import io.understudy.audit.AuditEntry;
import io.understudy.audit.AuditRing;
import io.understudy.metrics.Counter;
import io.understudy.metrics.ReplicationMXBean;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.management.JMException;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/** A node as JMX shows it. */
final class NodeBean implements ReplicationMXBean {

    private static final Logger LOG = System.getLogger(NodeBean.class.getName());

    private final Understudy node;
    private final NodeGauges gauges;
    private @Nullable ObjectName name;

    NodeBean(Understudy node, NodeGauges gauges) {
        this.node = node;
        this.gauges = gauges;
    }

    static NodeBean register(Understudy node, NodeGauges gauges) {
        NodeBean bean = new NodeBean(node, gauges);
        try {
            ObjectName name = new ObjectName("io.understudy:type=Node,cluster="
                    + ObjectName.quote(node.config().clusterName()) + ",node="
                    + ObjectName.quote(node.config().nodeName()));
            ManagementFactory.getPlatformMBeanServer().registerMBean(bean, name);
            bean.name = name;
        } catch (JMException e) {
            LOG.log(
                    Level.WARNING,
                    "{0} - could not register the JMX bean: {1}",
                    node.config().nodeName(),
                    e);
        }
        return bean;
    }

    void unregister() {
        try {
            if (name != null) {
                ManagementFactory.getPlatformMBeanServer().unregisterMBean(name);
            }
        } catch (JMException e) {
            LOG.log(
                    Level.DEBUG,
                    "{0} - the JMX bean was already unregistered: {1}",
                    node.config().nodeName(),
                    e);
        }
    }

    @Override
    public boolean isReady() {
        return node.readiness().ready();
    }

    @Override
    public String getReadiness() {
        return node.readiness().reason();
    }

    @Override
    public String getView() {
        return node.view();
    }

    @Override
    public long getSessions() {
        return gauges.value("sessions", 0);
    }

    @Override
    public long getSessionsAtRisk() {
        return gauges.value("sessions_at_risk", 0);
    }

    @Override
    public long getBytesAtRisk() {
        return gauges.value("bytes_at_risk", 0);
    }

    @Override
    public long getReplicaBytes() {
        return gauges.value("replica_bytes", 0);
    }

    @Override
    public long getSessionsSpilled() {
        return gauges.value("sessions_spilled", 0);
    }

    @Override
    public long getAttributesQuarantined() {
        return gauges.value("attributes_quarantined", 0);
    }

    @Override
    public long getChangesAtRisk() {
        return gauges.value("changes_at_risk", 0);
    }

    @Override
    public boolean isNodeCoherent() {
        return node.isNodeCoherent();
    }

    @Override
    public void setNodeCoherent(boolean coherent) {
        node.setNodeCoherent(coherent);
    }

    @Override
    public boolean isClusterCoherent() {
        return node.isClusterCoherent();
    }

    @Override
    public boolean waitUntilClusterCoherent(long millis) throws InterruptedException {
        return node.waitUntilClusterCoherent(Duration.ofMillis(millis));
    }

    @Override
    public String drain(long millis) throws InterruptedException {
        return node.drain(Duration.ofMillis(millis)).toString();
    }

    @Override
    public String undrain() {
        node.undrain();
        return node.readiness().reason();
    }

    @Override
    public List<String> audit(String id) {
        return node.audits().stream()
                .flatMap(ring -> ring.of(id).stream())
                .map(AuditEntry::toString)
                .toList();
    }

    @Override
    public List<String> lastAudits(int count) {
        return node.audits().stream()
                .map(AuditRing::entries)
                .flatMap(entries ->
                        entries.subList(Math.max(0, entries.size() - Math.max(0, count)), entries.size()).stream())
                .map(AuditEntry::toString)
                .toList();
    }

    @Override
    public List<String> getFindings() {
        return node.findings().stream()
                .map(finding -> finding.application() + " - " + finding)
                .toList();
    }

    @Override
    public Map<String, Long> getAttributeSizes() {
        return node.attributeSizes();
    }

    @Override
    public Map<String, Long> getSessionsFailingHere() {
        return node.takeOvers().failingHere();
    }

    @Override
    public Map<String, Long> getSessionsFailingElsewhere() {
        return node.takeOvers().failingElsewhere();
    }

    @Override
    public List<String> getTakeOverFailures() {
        return node.takeOvers().failures();
    }

    @Override
    public boolean isRehearsalHealthy() {
        return node.takeOvers().rehearsalHealthy();
    }

    @Override
    public Map<String, Long> getFramesRefused() {
        return counters("frames_refused_");
    }

    @Override
    public Map<String, Long> getHandshakesRefused() {
        return counters("handshakes_refused_");
    }

    private Map<String, Long> counters(String prefix) {
        Map<String, Long> counters = getCounters();
        counters.keySet().removeIf(counter -> !counter.startsWith(prefix));
        return counters;
    }

    @Override
    public long getCertificateSecondsLeft() {
        return gauges.value("certificate_seconds_left", -1);
    }

    @Override
    public List<String> getReached() {
        return node.figures().reach().reached();
    }

    @Override
    public Map<String, Long> getCounters() {
        Map<String, Long> counters = new TreeMap<>();
        for (Counter counter : Counter.values()) {
            counters.put(counter.key(), node.metrics().value(counter));
        }
        return counters;
    }

    @Override
    public Map<String, String> getLag() {
        return node.metrics().lagSummaries();
    }
}
