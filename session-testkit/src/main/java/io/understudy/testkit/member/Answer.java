package io.understudy.testkit.member;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a member answered.
 *
 * @param words what follows the result
 */
public record Answer(Result result, List<String> words) {

    static Answer of(List<String> words) {
        return new Answer(Result.valueOf(words.get(0)), List.copyOf(words.subList(1, words.size())));
    }

    /** Words that are names and values in turn. */
    public Map<String, String> pairs() {
        Map<String, String> pairs = new LinkedHashMap<>();
        for (int i = 0; i + 1 < words.size(); i += 2) {
            pairs.put(words.get(i), words.get(i + 1));
        }
        return pairs;
    }
}
