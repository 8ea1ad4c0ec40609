package io.understudy.network.transport;

import io.understudy.config.ConfigException;
import io.understudy.config.Tls;
import io.understudy.config.UnderstudyConfig;
import io.understudy.metrics.Counter;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.threads.DaemonThreads;
import io.understudy.tls.Certificates;
import io.understudy.tls.HandshakeFailure;
import io.understudy.tls.InvalidKeyStoreException;
import io.understudy.tls.StoreFile;
import io.understudy.tls.TlsEvents;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What became of a node's TLS connections and certificates: each that is not made is counted by its cause, and the
 * first of each cause and host is logged, anew when certificates were exchanged.
 *
 * <p>Threads: any. It distinguishes 256 hosts at most.
 */
public final class TlsFailures implements TlsEvents {

    private static final Logger LOG = System.getLogger(TlsFailures.class.getName());

    private static final int MAX_KNOWN = 256;

    private final String node;
    private final ReplicationMetrics metrics;
    private final Set<String> logged = ConcurrentHashMap.newKeySet();

    private TlsFailures(String node, ReplicationMetrics metrics) {
        this.node = node;
        this.metrics = metrics;
    }

    /** @throws ConfigException if nobody could be talked to with the files that settings name */
    public static Certificates certificates(UnderstudyConfig config, ReplicationMetrics metrics) {
        Tls tls = config.tls();
        try {
            return Certificates.load(
                    new StoreFile("tlsKeyStore", tls.keyStore(), tls.keyStorePassword()),
                    new StoreFile("tlsTrustStore", tls.trustStore(), tls.trustStorePassword()),
                    new TlsFailures(config.nodeName(), metrics),
                    DaemonThreads.numbered("understudy-" + config.nodeName() + "-tls"));
        } catch (InvalidKeyStoreException e) {
            throw new ConfigException(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public void failed(HandshakeFailure failure) {
        metrics.count(Counter.valueOf("HANDSHAKES_REFUSED_" + failure.kind().name()));
        String peer = failure.peer();
        switch (failure.kind()) {
            case CERTIFICATE ->
                once(
                        failure,
                        "refuses the certificate of " + peer + " (" + failure.subject() + "): " + failure.reason()
                                + ". This node reads nothing from it, and it is not a member. To make it a member, "
                                + "give it a certificate that leads to one in this node's 'tlsTrustStore', or add "
                                + "the certificate of its CA to that file");
            case THERE ->
                once(
                        failure,
                        peer + " refuses this node's certificate (reason: " + failure.reason()
                                + "): the two nodes are not in one cluster. To make them members of one cluster, "
                                + "give this node a certificate in 'tlsKeyStore' that leads to one in the other "
                                + "node's 'tlsTrustStore'");
            case UNENCRYPTED ->
                once(
                        failure,
                        peer
                                + " does not use TLS: it has a 'secret' or no protection, or it is not a node. This "
                                + "node reads nothing from it, and it is not a member. To make it a member, give it "
                                + "'tlsKeyStore' and 'tlsTrustStore'");
            case LATE ->
                once(
                        failure,
                        "no connection over TLS with " + peer + ": " + failure.reason()
                                + ". It hangs, is very busy, does not use TLS, or tries to block this node");
            case BROKEN ->
                LOG.log(Level.DEBUG, "{0} - no connection over TLS with {1}: {2}", node, peer, failure.reason());
        }
    }

    private void once(HandshakeFailure failure, String message) {
        String host = failure.peer().replaceFirst(":\\d+$", "");
        if (logged.size() < MAX_KNOWN && logged.add(failure.kind() + " " + host)) {
            LOG.log(Level.WARNING, "{0} - {1}", node, message);
        }
    }

    @Override
    public void distrusted(String peer, String subject) {
        metrics.count(Counter.CONNECTIONS_DISTRUSTED);
        LOG.log(
                Level.INFO,
                "{0} - closes its connection with {1} ({2}), because its certificate is no longer trusted. It can "
                        + "connect again with a trusted certificate",
                node,
                peer,
                subject);
    }

    @Override
    public void exchanged(String subject, Instant ends) {
        logged.clear();
        LOG.log(
                Level.INFO,
                "{0} - the certificates changed: this node now uses {1}, valid until {2}",
                node,
                subject,
                ends);
    }

    @Override
    public void unfit(InvalidKeyStoreException why) {
        LOG.log(
                Level.WARNING,
                "{0} - the certificates changed, but the new ones can''t be used: {1}. The former ones stay in force",
                node,
                why.getMessage());
    }

    @Override
    public void ending(String subject, Instant ends) {
        boolean over = ends.isBefore(Instant.now());
        LOG.log(
                over ? Level.ERROR : Level.WARNING,
                "{0} - the certificate of this node ({1}) {2} on {3}: {4}. Put a new one into the file that "
                        + "''tlsKeyStore'' names",
                node,
                subject,
                over ? "expired" : "expires",
                ends,
                over
                        ? "members refuse new connections with this node"
                        : "from then on members will refuse new connections with this node");
    }
}
