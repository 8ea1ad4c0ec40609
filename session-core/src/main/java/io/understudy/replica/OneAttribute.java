package io.understudy.replica;

import java.util.AbstractMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One attribute as a map, as most changes have it. {@link SessionDelta#lone} gives it without the objects that a walk
 * over a map takes. Immutable.
 */
final class OneAttribute extends AbstractMap<String, StampedBytes> {

    private final Entry<String, StampedBytes> attribute;

    OneAttribute(String name, StampedBytes written) {
        this.attribute = Map.entry(name, written);
    }

    Entry<String, StampedBytes> attribute() {
        return attribute;
    }

    @Override
    public int size() {
        return 1;
    }

    @Override
    public boolean containsKey(Object name) {
        return attribute.getKey().equals(name);
    }

    @Override
    public @Nullable StampedBytes get(Object name) {
        return containsKey(name) ? attribute.getValue() : null;
    }

    @Override
    public Set<Entry<String, StampedBytes>> entrySet() {
        return Set.of(attribute);
    }
}
