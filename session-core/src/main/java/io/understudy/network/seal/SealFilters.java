package io.understudy.network.seal;

import io.understudy.config.Security;
import io.understudy.config.UnderstudyConfig;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.sealing.MessageKind;
import io.understudy.sealing.Sealing;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** The gates of a channel's protocols. They share a salt, so who is proven at one of them is at all. Threads: any. */
public final class SealFilters {

    private static final Logger LOG = System.getLogger(SealFilters.class.getName());

    private final @Nullable Sealing sealing;
    private final RejectedFrames refusals;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    private SealFilters(@Nullable Sealing sealing, RejectedFrames refusals) {
        this.sealing = sealing;
        this.refusals = refusals;
    }

    public static SealFilters of(UnderstudyConfig config, ReplicationMetrics metrics) {
        return of(config, metrics, Level.INFO);
    }

    /** @param news the level at which it logs that only this machine's members can be reached */
    public static SealFilters of(UnderstudyConfig config, ReplicationMetrics metrics, Level news) {
        Sealing sealing = config.secrets().given()
                ? Sealing.of(
                        config.clusterName(),
                        config.secrets().secret(),
                        config.secrets().former())
                : null;
        if (sealing == null && config.security() == Security.NONE) {
            LOG.log(
                    Level.WARNING,
                    "{0} - the traffic between members is not protected: everybody in the network of {1} can read "
                            + "and write sessions. Give all nodes the same ''secret'', and remove ''security''",
                    config.nodeName(),
                    config.bindAddress().getHostAddress());
        } else if (sealing == null && !config.tls().given()) {
            LOG.log(
                    news,
                    "{0} - communicates with members on this machine only, over loopback. For members on other "
                            + "hosts give all nodes the same ''secret'', or certificates (''tlsKeyStore''), and "
                            + "give each node its ''bindAddress''",
                    config.nodeName());
        }
        return new SealFilters(sealing, new RejectedFrames(config.nodeName(), metrics));
    }

    /** The filter of a transport. */
    public SealFilter transport() {
        return new SealFilter(sealing, MessageKind.TRANSPORT, refusals, () -> listeners.forEach(Runnable::run), false);
    }

    /** The filter of multicast beside TCP. Its members are proven over TCP before it sends to them. */
    public SealFilter multicast() {
        return new SealFilter(sealing, MessageKind.MULTICAST, refusals, () -> {}, false);
    }

    public SealFilter discovery() {
        return beside(MessageKind.DISCOVERY);
    }

    public SealFilter failureDetection() {
        return beside(MessageKind.FAILURE_DETECTION);
    }

    /** Of a protocol with sockets of its own; what it sends, which is little, may be the first that a member gets of this node. */
    private SealFilter beside(MessageKind kind) {
        return new SealFilter(sealing, kind, refusals, () -> {}, true);
    }

    /** Is run when somebody asked, by way of the transport, who this node is, after it was answered. */
    public void whenChallenged(Runnable listener) {
        listeners.add(listener);
    }
}
