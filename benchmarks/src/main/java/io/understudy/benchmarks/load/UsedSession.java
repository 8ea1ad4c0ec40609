package io.understudy.benchmarks.load;

import io.understudy.testkit.member.RemoteMember;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A session as its clients know it. Threads: any. */
final class UsedSession {

    private final String name;
    private final Set<List<RemoteMember>> endedOn = new HashSet<>();
    private final Map<RemoteMember, Integer> begun = new HashMap<>();
    private final Map<RemoteMember, Integer> running = new HashMap<>();
    private volatile boolean acknowledged;
    private volatile boolean ended;

    UsedSession(String name) {
        this.name = name;
    }

    String name() {
        return name;
    }

    void made(boolean wasAcknowledged) {
        acknowledged = wasAcknowledged;
    }

    /** Whether its creation was acknowledged, and nobody has begun to end it. */
    boolean isThere() {
        return acknowledged && !ended;
    }

    boolean ended() {
        return ended;
    }

    /** Whether nobody has begun to end it on these members: not where one request could race with another. */
    synchronized boolean mayEnd(List<RemoteMember> members) {
        ended = true;
        return endedOn.stream().allMatch(others -> Collections.disjoint(others, members)) && endedOn.add(members);
    }

    /** @return the request's number on this member; 0 if another one uses the session there now */
    synchronized int begin(RemoteMember member) {
        int number = begun.merge(member, 1, Integer::sum);
        return running.merge(member, 1, Integer::sum) == 1 ? number : 0;
    }

    /**
     * The request of this number has its answer.
     *
     * @return whether no other one used the session on this member meanwhile
     */
    synchronized boolean end(RemoteMember member, int number) {
        running.merge(member, -1, Integer::sum);
        return begun.getOrDefault(member, 0) == number;
    }
}
