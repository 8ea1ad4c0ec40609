package io.understudy.session.attributes;

import io.understudy.replica.SessionDelta;
import io.understudy.replica.StampedBytes;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What one commit found. Few attributes: they are looked through faster than hashed.
 *
 * <p>Threads: one at a time.
 */
final class FoundChanges {

    private static final FoundChange[] NONE = {};

    private FoundChange[] all = NONE;
    private int count;

    /** The last that was found of an attribute; {@code null} if nothing was. */
    @Nullable
    FoundChange of(String name) {
        int place = place(name);
        return place < count ? all[place] : null;
    }

    /** All of them if none is of this name. */
    private int place(String name) {
        int place = 0;
        while (place < count && !all[place].name().equals(name)) {
            place++;
        }
        return place;
    }

    /** In the place of what was found before of that attribute, if anything was. */
    void add(FoundChange now) {
        int place = place(now.name());
        if (place == all.length) {
            all = Arrays.copyOf(all, Math.max(1, 2 * count));
        }
        all[place] = now;
        count = Math.max(count, place + 1);
    }

    boolean any(Predicate<FoundChange> asked) {
        for (int i = 0; i < count; i++) {
            if (asked.test(all[i])) {
                return true;
            }
        }
        return false;
    }

    /** @param folded what keeps the removals that are remembered few: it goes with changes */
    Map<String, StampedBytes> toSend(Map<String, StampedBytes> folded) {
        FoundChange last = null;
        int changes = 0;
        for (int i = 0; i < count; i++) {
            if (all[i].change() != null) {
                last = all[i];
                changes++;
            }
        }
        if (last == null || last.change() == null) {
            return Map.of();
        } else if (changes == 1 && folded.isEmpty()) {
            return SessionDelta.attribute(last.name(), last.change()); // Of most requests.
        }
        Map<String, StampedBytes> sent = new HashMap<>(folded);
        for (int i = 0; i < count; i++) {
            StampedBytes change = all[i].change();
            if (change != null) {
                sent.put(all[i].name(), change);
            }
        }
        return Map.copyOf(sent);
    }

    /** Calls the action for the requests that may have changed what is sent; some of them may be over. */
    void changers(LongConsumer action) {
        for (int i = 0; i < count; i++) {
            if (all[i].change() != null) {
                all[i].slot().changers(all[i].seen(), action);
            }
        }
    }

    /** All of it is merged here. */
    void committed() {
        for (int i = 0; i < count; i++) {
            all[i].committed();
        }
        count = 0;
    }

    /** What was not committed is as it was before. */
    void giveUp() {
        for (int i = 0; i < count; i++) {
            all[i].slot().givenUp();
        }
        count = 0;
    }
}
