package io.understudy.lock;

import io.understudy.replica.Rendezvous;
import io.understudy.replica.SessionKey;
import java.util.List;

/**
 * Members that see each other.
 *
 * @param members in the same order on each of them, this one among them
 */
public record LockView<M>(Tag tag, List<M> members) {

    /**
     * Names a view.
     *
     * @param number rises from view to view on each member
     * @param creator distinguishes views of one number, as the sides of a partition have them
     */
    public record Tag(long number, long creator) {
        @Override
        public String toString() {
            return number + "/" + Long.toHexString(creator);
        }
    }

    public LockView {
        members = List.copyOf(members);
    }

    /** The member that grants the lock of this session. */
    M home(SessionKey key) {
        return Rendezvous.of(key, members);
    }

    @Override
    public String toString() {
        return tag + " " + members;
    }
}
