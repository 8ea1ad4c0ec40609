package io.understudy.lock;

import io.understudy.lock.LockView.Tag;
import io.understudy.replica.SessionKey;
import java.util.List;

/**
 * The messages of members about locks. Messages from one member to another must arrive in order. A message of another
 * view than the receiver's is ignored: a member that enters a view reports all that matters there.
 *
 * <p>A {@code request} is a number that its member never uses again.
 */
public sealed interface LockMessage {

    /** The view it was sent in. */
    Tag view();

    /** To the home: the sender wants the lock. */
    record Request(Tag view, SessionKey key, long request) implements LockMessage {}

    /**
     * To the sender of the request: it has the lock.
     *
     * @param fence above that of every grant before it in this session
     */
    record Grant(Tag view, SessionKey key, long request, long fence) implements LockMessage {}

    /**
     * To the home: the sender no longer holds the lock, or no longer wants it.
     *
     * @param fence of the grant, 0 if the sender has seen none
     */
    record Release(Tag view, SessionKey key, long request, long fence) implements LockMessage {}

    /**
     * To the home: what the sender holds of it and wants from it. Sent after each view change, when the home asks, and
     * when the sender can't be sure that all its messages have arrived. Nothing is granted before all members of the
     * view have reported.
     *
     * @param first whether it is the first part of a report
     * @param last whether it is the last part of it
     */
    record Report(Tag view, boolean first, boolean last, List<Claim> claims) implements LockMessage {
        public Report {
            claims = List.copyOf(claims);
        }
    }

    /**
     * One lock held or wanted.
     *
     * @param fence of the grant, 0 while it is only wanted
     */
    record Claim(SessionKey key, long request, long fence) {
        @Override
        public String toString() {
            return key + " " + request + (fence == 0 ? "" : " fence " + fence);
        }
    }

    /** From the home: it misses the receiver's report. */
    record Ask(Tag view) implements LockMessage {}
}
