package io.understudy.benchmarks;

import io.understudy.testkit.member.RemoteMember;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What listeners of the members were told about sessions that ended.
 *
 * <p>Threads: one.
 */
final class Events {

    private final Map<RemoteMember, Integer> seen = new HashMap<>();
    private final Set<String> told = new HashSet<>();
    private long count;
    private long twice;
    private long uncalledFor;

    /**
     * Takes what was told since the last time.
     *
     * @param sides the members, by index, that reached each other all the time
     */
    void collect(List<RemoteMember> members, Collection<? extends Set<Integer>> sides) {
        for (Set<Integer> side : sides) {
            Set<String> here = new HashSet<>();
            for (int index : side) {
                collect(members.get(index), here);
            }
            told.addAll(here);
        }
    }

    private void collect(RemoteMember member, Set<String> here) {
        List<String> ended = member.ended();
        for (String event : ended.subList(Math.min(ended.size(), seen.getOrDefault(member, 0)), ended.size())) {
            count++;
            String key = event.substring(0, event.indexOf(' '));
            twice += here.add(key) ? 0 : 1;
            // Told in an earlier phase: then all had heard of the end since, and only a merge could cause it again.
            uncalledFor += told.contains(key) || !event.endsWith(" invalidated") ? 1 : 0;
        }
        seen.put(member, ended.size());
    }

    /** Events so far. */
    long count() {
        return count;
    }

    /** Events of sessions whose end one member of the same side had told already. */
    long twice() {
        return twice;
    }

    /** Events that no client asked for, or told again after the members had been together. */
    long uncalledFor() {
        return uncalledFor;
    }
}
