package io.understudy.codec;

import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Vector;

/**
 * A value with a container of a {@linkplain Containers.Kind kind}, which tests change.
 *
 * @param target a collection or map
 * @param elements that it was filled with
 */
@SuppressWarnings("JdkObsolete") // Sessions hold them.
record FilledContainer(Object value, Object target, List<Object> elements) {

    @SuppressWarnings("unchecked")
    void add(Integer number, Object element) {
        if (target instanceof Map<?, ?> map) {
            ((Map<Object, Object>) map).put(key(map, number), element);
        } else {
            ((Collection<Object>) target).add(element);
        }
    }

    void remove(Integer number) {
        if (target instanceof Map<?, ?> map) {
            map.remove(key(map, number));
        } else {
            ((Collection<?>) target).remove(elements.get(number));
        }
    }

    /** In one call. */
    @SuppressWarnings("unchecked")
    void addTogether(List<Integer> numbers) {
        if (target instanceof Map<?, ?> map) {
            Map<Object, Object> added = new HashMap<>();
            numbers.forEach(number -> added.put(key(map, number), elements.get(number)));
            ((Map<Object, Object>) map).putAll(added);
        } else if (target instanceof Vector) {
            synchronized (target) { // Its own lock: it counts the change before it takes that.
                ((Collection<Object>) target)
                        .addAll(numbers.stream().map(elements::get).toList());
            }
        } else {
            ((Collection<Object>) target)
                    .addAll(numbers.stream().map(elements::get).toList());
        }
    }

    /** In one call. */
    void removeTogether(List<Integer> numbers) {
        if (target instanceof Map<?, ?> map) {
            map.keySet().removeAll(numbers.stream().map(each -> key(map, each)).toList());
        } else {
            ((Collection<?>) target)
                    .removeAll(numbers.stream().map(elements::get).toList());
        }
    }

    void clear() {
        if (target instanceof Map<?, ?> map) {
            map.clear();
        } else {
            ((Collection<?>) target).clear();
        }
    }

    private static Object key(Map<?, ?> map, Integer number) {
        return map instanceof EnumMap ? Containers.LETTERS.get(number) : number;
    }
}
