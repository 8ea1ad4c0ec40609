package io.understudy.benchmarks.durability;

import io.understudy.testkit.member.Ended;
import io.understudy.testkit.member.RemoteMember;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What listeners of the members were told about sessions that ended.
 *
 * <p>Threads: one.
 */
final class Events {

    private static final int EXAMPLES = 20;

    private final Map<RemoteMember, Integer> seen = new HashMap<>();
    private final Map<String, String> told = new HashMap<>();
    private final List<String> examples = new ArrayList<>();

    /** Sessions of which the members are to be asked what they noted. */
    private final Set<String> puzzling = new HashSet<>();

    private long count;
    private long twice;
    private long uncalledFor;

    /**
     * Takes what was told since the last time.
     *
     * @param phase what happened in that time
     * @param sides the members, by index, that reached each other all the time
     */
    void collect(String phase, List<RemoteMember> members, Collection<? extends Set<Integer>> sides) {
        Map<String, String> now = new HashMap<>();
        for (Set<Integer> side : sides) {
            Map<String, String> here = new HashMap<>();
            for (int index : side) {
                collect(phase, members.get(index), here);
            }
            now.putAll(here);
        }
        told.putAll(now);
        puzzling.forEach(key -> examples.add(key + ": " + audits(key, members)));
        puzzling.clear();
    }

    /** What the members noted of a session, oldest first. */
    private static Map<String, List<String>> audits(String key, List<RemoteMember> members) {
        Map<String, List<String>> audits = new TreeMap<>();
        members.forEach(member -> audits.put(
                member.name(),
                member.audit().stream()
                        .filter(entry -> entry.key().equals(key))
                        .map(entry -> entry.what() + " by " + entry.member())
                        .toList()));
        return audits;
    }

    private void collect(String phase, RemoteMember member, Map<String, String> here) {
        List<Ended> ended = member.ended();
        for (Ended event : ended.subList(Math.min(ended.size(), seen.getOrDefault(member, 0)), ended.size())) {
            count++;
            String key = event.key();
            String where = event.id() + " " + event.cause() + " at " + member.name() + " in " + phase;
            String before = here.put(key, where);
            if (before != null) {
                twice++;
                puzzling.add(key);
                examples.add("twice on one side: " + before + ", " + where);
            }
            // Told in an earlier phase: then all had heard of the end since, and only a merge could cause it again.
            if (told.containsKey(key) || !event.cause().equals("invalidated")) {
                uncalledFor++;
                puzzling.add(key);
                examples.add("uncalled for: " + where + ", before: " + told.get(key));
            }
        }
        seen.put(member, ended.size());
    }

    /** What was wrong, for people. */
    List<String> examples() {
        return examples.subList(0, Math.min(examples.size(), EXAMPLES));
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
