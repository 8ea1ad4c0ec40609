package io.understudy.cluster;

import io.understudy.config.UnderstudyConfig;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.sealing.Sealing;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** The gates of a channel's protocols. They share a salt, so who is proven at one of them is at all. Threads: any. */
final class Seals {

    private final @Nullable Sealing sealing;
    private final Refusals refusals;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    private Seals(@Nullable Sealing sealing, Refusals refusals) {
        this.sealing = sealing;
        this.refusals = refusals;
    }

    static Seals of(UnderstudyConfig config, ReplicationMetrics metrics) {
        Sealing sealing = config.secrets().given()
                ? Sealing.of(
                        config.clusterName(),
                        config.secrets().secret(),
                        config.secrets().former())
                : null;
        return new Seals(sealing, new Refusals(config.nodeName(), metrics));
    }

    /** Of a transport. */
    Gate transport() {
        return new Gate(sealing, refusals, () -> listeners.forEach(Runnable::run), false);
    }

    /** Of a protocol with sockets of its own; what it sends, which is little, may be the first that a member gets of this node. */
    Gate beside() {
        return new Gate(sealing, refusals, () -> {}, true);
    }

    /** Is run when somebody asked, by way of the transport, who this node is, after it was answered. */
    void whenChallenged(Runnable listener) {
        listeners.add(listener);
    }
}
