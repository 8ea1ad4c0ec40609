package io.understudy.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.store.Exploration.Request;
import java.util.ArrayDeque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Worlds that the exploration takes for one. */
@Tag("cluster")
class EqualWorldsTest {

    private static final long HOUR = 3_600_000;
    private static final Set<Request> ALL = EnumSet.allOf(Request.class);

    /** What {@link Canon} leaves out must not matter: else worlds would be passed over that nothing like them was entered. */
    @ParameterizedTest
    @MethodSource("clocksAndKinds")
    void worldsThatCountAsOneGoOnAlike(long[] skew, Set<Request> kinds) {
        Walk walk = new Exploration(MemberRules.PRODUCT, kinds, 1, skew).walk();
        Map<Long, Set<Long>> known = new HashMap<>();
        Map<Long, Integer> met = new HashMap<>();
        Queue<World> worlds = new ArrayDeque<>(List.of(new Steps(MemberRules.PRODUCT, skew).begin()));
        int compared = 0;
        for (int i = 0; i < 5_000 && !worlds.isEmpty(); i++) {
            World world = worlds.remove();
            long hash = walk.hash(world);
            int times = met.merge(hash, 1, Integer::sum);
            if (times > 4) {
                continue; // Some of each are enough, and are already too many to go through all.
            }
            List<World> next = walk.next(world);
            Set<Long> hashes = next.stream().map(walk::hash).collect(Collectors.toSet());
            Set<Long> others = known.putIfAbsent(hash, hashes);
            if (others != null) {
                compared++;
                assertEquals(others, hashes, () -> "after " + world.events + " events");
            }
            worlds.addAll(worlds.size() < 5_000 ? next : List.of());
        }
        int pairs = compared;
        assertTrue(pairs > 1000, () -> pairs + " pairs");
    }

    static Stream<Arguments> clocksAndKinds() {
        Set<Request> changes = EnumSet.range(Request.WRITE, Request.EXPIRE);
        return Stream.of(
                Arguments.of(new long[2], changes),
                Arguments.of(new long[2], ALL),
                Arguments.of(new long[] {0, -HOUR}, ALL),
                Arguments.of(new long[3], changes),
                Arguments.of(new long[3], ALL));
    }
}
