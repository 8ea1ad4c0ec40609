package io.understudy.session.attributes;

import io.understudy.codec.AttributeCodec;
import io.understudy.config.session.OnNotReplicable;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.replica.HybridClock;
import io.understudy.replica.TimeSource;
import io.understudy.session.failures.KeptAttributes;
import io.understudy.session.failures.Quarantine;
import io.understudy.session.failures.Warnings;

/** What the attributes of all sessions of one application share. Threads: any. */
public final class AttributeServices {

    private final AttributeCodec codec;
    private final Quarantine quarantine;
    private final KeptAttributes kept;
    private final Warnings warnings;
    private final HybridClock clock;
    private final TimeSource time;
    private final ReplicationMetrics metrics;
    private final int maxSessionBytes;
    private final OnNotReplicable onNotReplicable;
    private final AttributeEncoder encoder;

    /**
     * @param application how its attributes become bytes, and which of them could not
     * @param clock stamps this node's writes
     * @param maxSessionBytes above which an attribute stays on this node
     */
    public AttributeServices(
            ApplicationAttributes application,
            Warnings warnings,
            HybridClock clock,
            TimeSource time,
            ReplicationMetrics metrics,
            int maxSessionBytes,
            OnNotReplicable onNotReplicable) {
        this.codec = application.codec();
        this.quarantine = application.quarantine();
        this.kept = application.kept();
        this.warnings = warnings;
        this.clock = clock;
        this.time = time;
        this.metrics = metrics;
        this.maxSessionBytes = maxSessionBytes;
        this.onNotReplicable = onNotReplicable;
        this.encoder = new AttributeEncoder(codec);
    }

    public AttributeCodec codec() {
        return codec;
    }

    /** The attributes that requests read here and that can't be decoded. */
    Quarantine quarantine() {
        return quarantine;
    }

    /** The attributes that only this node has. */
    KeptAttributes kept() {
        return kept;
    }

    public Warnings warnings() {
        return warnings;
    }

    HybridClock clock() {
        return clock;
    }

    /** How long a value is put off. */
    TimeSource time() {
        return time;
    }

    ReplicationMetrics metrics() {
        return metrics;
    }

    int maxSessionBytes() {
        return maxSessionBytes;
    }

    OnNotReplicable onNotReplicable() {
        return onNotReplicable;
    }

    AttributeEncoder encoder() {
        return encoder;
    }
}
