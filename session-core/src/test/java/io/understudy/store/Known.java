package io.understudy.store;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the product's rules said of the same two things before. They are asked again once it is overwritten.
 *
 * <p>Threads: one per object.
 */
final class Known<V> {

    private static final int SIZE = 1 << 15;

    /** Times that an answer depends on. */
    record Rest(long now, long age, long idle, long forgottenEnd, long apartSince) {}

    /** The same objects, not equal ones: they are looked up faster than compared. */
    private record Answer<V>(@Nullable Object of, @Nullable Object to, Rest rest, V value) {
        @SuppressWarnings("ReferenceEquality")
        boolean answers(@Nullable Object one, @Nullable Object other, Rest also) {
            return of == one && to == other && rest.equals(also);
        }
    }

    private final @Nullable Answer<?>[] answers = new Answer<?>[SIZE];

    /** @param also all other that the answer depends on */
    @SuppressWarnings("unchecked")
    V get(@Nullable Object of, @Nullable Object to, Supplier<V> rules, Rest also) {
        int hash = (System.identityHashCode(of) * 31 + System.identityHashCode(to)) * 0x9E3779B9;
        int slot = (hash >>> 12) & (SIZE - 1);
        Answer<V> before = (Answer<V>) answers[slot];
        if (before != null && before.answers(of, to, also)) {
            return before.value();
        }
        V value = rules.get();
        answers[slot] = new Answer<>(of, to, also, value);
        return value;
    }
}
