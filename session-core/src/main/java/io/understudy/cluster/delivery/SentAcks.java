package io.understudy.cluster.delivery;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.understudy.wire.Frame.Ack;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The latest acknowledgements that were sent to one member, which may ask for them once more.
 *
 * <p>Threads: any; guarded by this.
 */
final class SentAcks {

    /** A node sends fewer acknowledgements than this to a member before the member asks for one that it lacks. */
    static final int COUNT = 1 << 14;

    private static final int FIRST = 1 << 8;

    /** Each as {@code number * 2 + parked}. Grows up to {@link #COUNT}, and then begins again at the first. */
    @GuardedBy("this")
    private long[] coded = new long[FIRST];

    @GuardedBy("this")
    private int next;

    /** How many places have one. */
    @GuardedBy("this")
    private int used;

    synchronized void add(List<Ack> acks) {
        for (int i = 0; i < acks.size(); i++) {
            if (next == coded.length) {
                makeRoom();
            }
            Ack ack = acks.get(i);
            coded[next++] = ack.number() << 1 | (ack.parked() ? 1 : 0);
            used = Math.max(used, next);
        }
    }

    @GuardedBy("this")
    private void makeRoom() {
        if (coded.length < COUNT) {
            coded = Arrays.copyOf(coded, 2 * coded.length);
        } else {
            next = 0;
        }
    }

    /** Those of these numbers that are known. */
    synchronized List<Ack> of(Collection<Long> numbers) {
        Set<Long> asked = new HashSet<>(numbers);
        List<Ack> known = new ArrayList<>();
        for (int i = 0; i < used; i++) {
            if (asked.contains(coded[i] >>> 1)) {
                known.add(new Ack(coded[i] >>> 1, (coded[i] & 1) == 1));
            }
        }
        return known;
    }
}
