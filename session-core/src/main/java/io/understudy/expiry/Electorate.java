package io.understudy.expiry;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The other members that vote on the ends of sessions, and those that voted until they left.
 *
 * <p>Threads: one at a time.
 */
final class Electorate<M extends Comparable<? super M>> {

    private Set<M> members = Set.of();

    /** Members that came, or did not answer in time, and have not been heard since: invalidations do not wait for them. */
    private final Set<M> silent = new TreeSet<>();

    /** Who was heard before it became a member: its first message may come before the news of it. */
    private final Set<M> early = new TreeSet<>();

    /** Members that left of late, whose last messages may come now. */
    private final Set<M> departed = new TreeSet<>();

    Set<M> members() {
        return members;
    }

    Set<M> silent() {
        return silent;
    }

    boolean hasLeft(M member) {
        return departed.contains(member);
    }

    void forgetDeparted() {
        departed.clear();
    }

    /**
     * The members changed.
     *
     * @param serving whether this member serves requests: then those that come are silent
     * @return those that came; {@code null} if nothing changed
     */
    @Nullable
    Set<M> change(Collection<M> others, boolean serving) {
        Set<M> now = Set.copyOf(others);
        if (now.equals(members)) {
            return null;
        }
        Set<M> come = new HashSet<>(now);
        come.removeAll(members);
        departed.addAll(members);
        departed.removeAll(now);
        members = now;
        silent.retainAll(now);
        if (serving) {
            silent.addAll(come);
            silent.removeAll(early);
        }
        early.clear();
        return come;
    }

    void heard(M member) {
        silent.remove(member);
        if (!members.contains(member) && !departed.contains(member)) {
            early.add(member);
        }
    }

    /** Later claims do not wait for these members until they answer. */
    void unheard(Collection<M> some) {
        silent.addAll(some);
    }

    @Override
    public String toString() {
        return new TreeSet<>(members).toString();
    }
}
