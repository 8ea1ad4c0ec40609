package io.understudy.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.codec.Containers.Promise;
import io.understudy.codec.classes.ClassList;
import io.understudy.testkit.Await;
import io.understudy.testkit.Beside;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Values that three threads change while they are encoded. Each adds a number and then removes another, so that one of
 * the two is there at each moment. They hold a lock that the encoder does not know, as threads of applications do.
 */
@Tag("cluster")
class ChangingValuesTest {

    private static final int WRITERS = 3;

    /** Numbers that no thread changes. */
    private static final int STAY = 4;

    /** A writer rests after as many changes, so that some encodings meet none. */
    private static final int BURST = 5;

    private static final long REST_NANOS = 1000;

    static Stream<Changing> values() {
        return Changing.values();
    }

    @ParameterizedTest
    @MethodSource("values")
    void areAsAtOneMomentOrKept(Changing value) {
        assertTrue(check(value, 300, BURST) > 0, "none succeeded");
    }

    /**
     * @param encodings how many are tried
     * @param burst a writer rests after as many changes
     * @return how many succeeded
     */
    static int check(Changing value, int encodings, int burst) {
        AtomicBoolean stop = new AtomicBoolean();
        AtomicInteger begun = new AtomicInteger();
        Object lock = new Object();
        List<CompletableFuture<Void>> writers = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            int first = STAY + 2 * i;
            writers.add(Beside.run(() -> {
                begun.incrementAndGet();
                change(value, first, burst, lock, stop);
            }));
        }
        try (GuardedCodec codec =
                new GuardedCodec(ChangingValuesTest.class::getClassLoader, Set.of(), "", ClassList.any())) {
            Await.that("all writers began", () -> begun.get() == WRITERS);
            return judge(value, encodings, codec);
        } finally {
            stop.set(true);
            writers.forEach(CompletableFuture::join);
        }
    }

    private static void change(Changing value, int first, int burst, Object lock, AtomicBoolean stop) {
        int there = first;
        synchronized (lock) {
            value.remove().accept(first + 1);
        }
        for (int changes = 0; !stop.get(); changes++) {
            int next = there == first ? first + 1 : first;
            synchronized (lock) {
                value.add().accept(next);
                value.remove().accept(there);
            }
            there = next;
            if (changes % burst == 0) {
                LockSupport.parkNanos(REST_NANOS);
            }
        }
    }

    private static int judge(Changing value, int encodings, GuardedCodec codec) {
        int encoded = 0;
        int kept = 0;
        List<String> undecodable = new ArrayList<>();
        List<String> torn = new ArrayList<>();
        for (int i = 0; i < encodings; i++) {
            byte[] bytes;
            try {
                bytes = codec.encode(value.value());
                encoded++;
            } catch (NotReplicableException e) {
                boolean unreadable =
                        value.promise() == Promise.READABLE && e.unreadable(); // Each time as the first time.
                assertTrue(e.changing() || unreadable, e.toString());
                kept++;
                continue;
            }
            try {
                String complaint = value.complaint(codec.decode(bytes), STAY);
                if (!complaint.isEmpty()) {
                    torn.add(complaint);
                }
            } catch (NotDecodableException e) {
                undecodable.add(e.toString());
            }
        }
        String outcome = "of " + encodings + " encodings " + encoded + " succeeded, " + kept + " were kept changing, "
                + undecodable.size() + " are undecodable, " + torn.size() + " torn: " + undecodable + torn;
        assertEquals(0, undecodable.size() + torn.size(), outcome);
        return encoded;
    }
}
