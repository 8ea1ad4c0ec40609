package io.understudy.network.transport;

import io.understudy.config.ConfigException;
import io.understudy.config.Tls;
import io.understudy.config.UnderstudyConfig;
import io.understudy.metrics.Counter;
import io.understudy.metrics.ReplicationMetrics;
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
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

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
                    threads(config.nodeName()));
        } catch (InvalidKeyStoreException e) {
            throw new ConfigException(String.valueOf(e.getMessage()));
        }
    }

    private static ThreadFactory threads(String node) {
        AtomicInteger count = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(null, task, "understudy-" + node + "-tls-" + count.incrementAndGet(), 0, false);
            thread.setDaemon(true);
            thread.setContextClassLoader(TlsFailures.class.getClassLoader());
            return thread;
        };
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
                                + ". Nothing that it sends is read, and it is no member. If it is to be one, give it a certificate "
                                + "that leads to one in this node's 'tlsTrustStore', or put the one that it leads to in there");
            case THERE ->
                once(
                        failure,
                        peer + " refuses this node's certificate (it says " + failure.reason()
                                + "): this node is outside of "
                                + "that one's cluster. If they are to be in one, the certificate in this node's 'tlsKeyStore' must lead "
                                + "to one in the other's 'tlsTrustStore'");
            case UNENCRYPTED ->
                once(
                        failure,
                        peer
                                + " does not talk TLS: it has a 'secret', or nothing, or is no node. Nothing that it sends is read, and "
                                + "it is no member. If it is to be one, give it 'tlsKeyStore' and 'tlsTrustStore'");
            case LATE ->
                once(
                        failure,
                        "no connection over TLS with " + peer + ": " + failure.reason()
                                + ". It stands still, is very busy, does not talk TLS, or wants to hold up this node");
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
                "{0} - closes its connection with {1} ({2}), whose certificate is not trusted any more; with another one it is let in "
                        + "again",
                node,
                peer,
                subject);
    }

    @Override
    public void exchanged(String subject, Instant ends) {
        logged.clear();
        LOG.log(
                Level.INFO,
                "{0} - the certificates changed: from now on its own is {1}, valid until {2}",
                node,
                subject,
                ends);
    }

    @Override
    public void unfit(InvalidKeyStoreException why) {
        LOG.log(
                Level.WARNING,
                "{0} - the certificates changed, and can''t be used: {1}. Those from before stay in force",
                node,
                why.getMessage());
    }

    @Override
    public void ending(String subject, Instant ends) {
        boolean over = ends.isBefore(Instant.now());
        LOG.log(
                over ? Level.ERROR : Level.WARNING,
                "{0} - its certificate ({1}) {2} on {3}: {4}. Put another one into the file in ''tlsKeyStore''",
                node,
                subject,
                over ? "ended" : "ends",
                ends,
                over
                        ? "members refuse new connections with this node"
                        : "from then on members will refuse new connections with this node");
    }
}
