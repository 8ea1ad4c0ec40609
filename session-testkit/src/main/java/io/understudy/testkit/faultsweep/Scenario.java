package io.understudy.testkit.faultsweep;

import io.understudy.session.Commit.Outcome;
import io.understudy.session.LiveSession;
import io.understudy.session.lock.SessionLock;
import io.understudy.testkit.SessionRequest;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** What a cluster is at when something is thrown in one of its nodes. */
public enum Scenario {

    /** A request that has the session's lock sets attributes, one of which has an activation listener, and waits. */
    COHERENT {
        @Override
        void act(SweptCluster cluster) {
            try (SessionLock lock = cluster.sessions(1).lock(cluster.id())) {
                LiveSession session = cluster.find(1);
                Outcome outcome = SessionRequest.use(session, () -> {
                    session.attributes().put("set", cluster.run());
                    session.attributes().put("told", new Told(cluster.run()));
                });
                if (outcome == Outcome.ACKNOWLEDGED) {
                    cluster.acknowledged("set", cluster.run());
                    cluster.acknowledged("told", new Told(cluster.run()));
                }
                assert lock != null;
            }
        }
    },

    /** A request changes what another node set, without setting it again. */
    IN_PLACE {
        @Override
        void act(SweptCluster cluster) {
            LiveSession session = cluster.find(1);
            Outcome outcome = SessionRequest.use(session, () -> list(session).add("changed"));
            if (outcome == Outcome.ACKNOWLEDGED) {
                cluster.acknowledged(SweptCluster.LIST, List.of("begun", "changed"));
            }
        }
    },

    LOGOUT {
        @Override
        void act(SweptCluster cluster) {
            LiveSession session = cluster.find(1);
            if (session.beginEnd()) {
                Outcome outcome = session.invalidate().await();
                if (!outcome.degraded()) {
                    cluster.ended();
                }
            }
        }
    },

    /** A node joins a cluster with sessions. */
    JOIN {
        @Override
        void prepare(SweptCluster cluster) {
            cluster.killLast();
        }

        @Override
        void act(SweptCluster cluster) {
            cluster.startLast();
        }
    },

    EXPIRY {
        @Override
        void prepare(SweptCluster cluster) {
            cluster.idle(Duration.ofMinutes(2));
        }

        @Override
        void act(SweptCluster cluster) {
            cluster.expire();
        }
    },

    DRAIN {
        @Override
        void act(SweptCluster cluster) {
            cluster.drain(1);
        }
    },

    /** A node leaves, and is started again. */
    STOP {
        @Override
        void act(SweptCluster cluster) {
            cluster.stopLast();
        }

        @Override
        void check(SweptCluster cluster) {
            cluster.startLast();
        }
    },

    /** Another application is deployed on a node, and undeployed. */
    DEPLOY {
        @Override
        void act(SweptCluster cluster) {
            cluster.deployAnother(1);
        }

        @Override
        void check(SweptCluster cluster) {
            cluster.checkDeployments(1);
        }
    };

    /** Before anything is thrown. */
    void prepare(SweptCluster cluster) {}

    abstract void act(SweptCluster cluster);

    /** When nothing is thrown any more, beside what all scenarios check. */
    void check(SweptCluster cluster) {}

    @SuppressWarnings("unchecked")
    private static List<Object> list(LiveSession session) {
        return (List<Object>) Objects.requireNonNull(session.attributes().get(SweptCluster.LIST));
    }
}
