package io.understudy.benchmarks.expiry;

import io.understudy.testkit.member.Ended;
import io.understudy.testkit.member.RemoteMember;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Which members told of the end of each of some sessions.
 *
 * @param members by session id, in no order; a member as often as it told
 */
record Told(Map<String, List<String>> members) {

    /** Of sessions that {@link RemoteMember#fill} made. */
    static Told of(List<RemoteMember> members, int begin, int sessions) {
        return of(
                members,
                IntStream.range(begin, begin + sessions)
                        .mapToObj(RemoteMember::filled)
                        .collect(Collectors.toSet()));
    }

    static Told of(List<RemoteMember> members, Set<String> ids) {
        Map<String, List<String>> told = new TreeMap<>();
        for (RemoteMember member : members) {
            for (Ended ended : member.ended()) {
                if (ids.contains(ended.id())) {
                    told.computeIfAbsent(ended.id(), id -> new ArrayList<>()).add(member.name());
                }
            }
        }
        return new Told(told);
    }

    Set<String> ids() {
        return members.keySet();
    }

    Set<String> oftenerThan(int times) {
        Set<String> found = new HashSet<>();
        members.forEach((id, told) -> {
            if (told.size() > times) {
                found.add(id);
            }
        });
        return found;
    }

    /** How many this member told of. */
    long by(RemoteMember member) {
        return members.values().stream()
                .filter(told -> told.contains(member.name()))
                .count();
    }

    /** {@code <name>_told}: sessions; {@code <name>_twice}: those told of more than once. */
    void figures(String name, Map<String, Number> figures) {
        figures.put(name + "_told", members.size());
        figures.put(name + "_twice", oftenerThan(1).size());
    }

    @Override
    public String toString() {
        Set<String> twice = oftenerThan(1);
        return members.size() + " told, " + twice.size() + " more than once"
                + twice.stream().limit(5).map(id -> " " + id + members.get(id)).collect(Collectors.joining());
    }
}
