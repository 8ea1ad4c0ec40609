package io.understudy.sealing;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;

/** One salt of another member, as seen here. Threads: any; its lock guards all but what is final or volatile. */
final class PeerSalt {

    /** How often it is asked again, when the question or the answer was lost. */
    private static final long AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final SecretKey key;
    private final Salt challenge;

    private final Map<FramePath, ReplayWindow> windows = new EnumMap<>(FramePath.class);

    private long floor = -1;

    private boolean asked;

    private long askedNanos;

    private volatile long heardNanos = System.nanoTime();

    PeerSalt(SecretKey key, Salt challenge) {
        this.key = key;
        this.challenge = challenge;
    }

    SecretKey key() {
        return key;
    }

    synchronized boolean proven() {
        return floor >= 0;
    }

    /** When it was heard of last, as {@link System#nanoTime} has it. */
    long heardNanos() {
        return heardNanos;
    }

    /** What to ask it for, if it is to be asked now: it is not proven, and was not asked just before. */
    synchronized @Nullable Salt challenge(long now) {
        if (floor >= 0 || (asked && now - askedNanos < AGAIN_NANOS)) {
            return null;
        }
        asked = true;
        askedNanos = now;
        return challenge;
    }

    /**
     * Its answer came in the frame of this number. What it sealed before may be from any time, so that is not taken any more.
     *
     * @return whether it is proven by that
     */
    synchronized boolean prove(Salt answer, long number) {
        if (floor >= 0 || !answer.equals(challenge)) {
            return false;
        }
        floor = number;
        return true;
    }

    /** Whether a frame may be read, and if not why. */
    synchronized @Nullable Refusal accept(FramePath way, long number) {
        if (floor < 0) {
            return Refusal.UNPROVEN;
        }
        heardNanos = System.nanoTime();
        ReplayWindow window = windows.get(way);
        if (window == null) {
            window = new ReplayWindow(floor);
            windows.put(way, window);
        }
        return switch (window.accept(number)) {
            case FRESH -> null;
            case SEEN -> Refusal.REPLAYED;
            case TOO_OLD -> Refusal.LATE;
        };
    }
}
