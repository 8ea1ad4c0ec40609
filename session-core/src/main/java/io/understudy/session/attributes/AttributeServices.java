package io.understudy.session.attributes;

import io.understudy.codec.AttributeCodec;
import io.understudy.config.session.OnNotReplicable;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.replica.HybridClock;

/**
 * What the attributes of all sessions of one application share.
 *
 * @param quarantine the attributes that requests read here and that can't be decoded
 * @param kept the attributes that only this node has
 * @param clock stamps this node's writes
 * @param maxSessionBytes above which an attribute stays on this node
 */
public record AttributeServices(
        AttributeCodec codec,
        Quarantine quarantine,
        KeptAttributes kept,
        Warnings warnings,
        HybridClock clock,
        ReplicationMetrics metrics,
        int maxSessionBytes,
        OnNotReplicable onNotReplicable) {}
