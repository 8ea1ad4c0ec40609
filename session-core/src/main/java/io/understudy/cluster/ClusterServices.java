package io.understudy.cluster;

import io.understudy.cluster.delivery.AckSender;
import io.understudy.cluster.delivery.AtRisk;
import io.understudy.cluster.delivery.Outbox;
import io.understudy.cluster.locking.ClusterLocks;
import io.understudy.cluster.membership.Members;
import io.understudy.cluster.membership.ViewInstaller;
import io.understudy.cluster.membership.WireVersions;
import io.understudy.cluster.messaging.FrameSender;
import io.understudy.cluster.messaging.RequestCorrelator;
import io.understudy.cluster.restart.SessionFiles;
import io.understudy.config.UnderstudyConfig;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.replica.HybridClock;
import io.understudy.replica.TimeSource;
import io.understudy.store.Memory;
import io.understudy.threads.ChannelThreads;
import io.understudy.threads.Failures;
import java.lang.System.Logger.Level;

/**
 * The parts of a node that its applications use.
 *
 * @param news the level at which it logs views and joins
 * @param clock stamps this node's writes
 * @param memory what the replicas of all applications take
 * @param checkPulse notices a pause of this process before anything is served after it
 * @param atRisk the changes that not every member holds which is to hold them
 */
record ClusterServices(
        UnderstudyConfig config,
        Level news,
        TimeSource time,
        HybridClock clock,
        ReplicationMetrics metrics,
        Memory memory,
        Members members,
        WireVersions versions,
        ViewInstaller views,
        Announcements announcements,
        Runnable checkPulse,
        FrameSender letters,
        RequestCorrelator exchange,
        Outbox outbox,
        AtRisk atRisk,
        AckSender acks,
        ClusterLocks locks,
        SessionFiles kept,
        ChannelThreads threads,
        Failures failures) {}
