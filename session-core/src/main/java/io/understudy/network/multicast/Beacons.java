package io.understudy.network.multicast;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jgroups.Address;
import org.jgroups.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The beacons of a member: which one is sent next, and what is confirmed of those of others. Times are milliseconds of one
 * clock that never goes back.
 *
 * <p>Threads: one calls {@link #next} and {@link #retain}, one {@link #hear}, any {@link #wanted}.
 */
final class Beacons {

    /** In one IP packet everywhere. */
    private static final int SMALL_BYTES = 200;

    /** In several on an interface of 1500 bytes: where fragments are dropped, this is, too. */
    static final int LARGE_BYTES = 3000;

    /** For so long after a datagram that was larger than that, the large beacons are as large as any datagram. */
    private static final long WANTED_MILLIS = 60_000;

    /** Small beacons are confirmed with the large ones, or alone when none came for so long. */
    private static final long ALONE_MILLIS = 150;

    /** What was heard of one sender. For the receiving thread. */
    private static final class Heard {
        private long small = -1;
        private long large = -1;
        private int largeBytes;
        private long confirmedMillis = -ALONE_MILLIS;
    }

    private final byte[] name;
    private final Map<Address, Heard> heard = new ConcurrentHashMap<>();
    private volatile long wantedMillis = -WANTED_MILLIS;
    private boolean nextLarge;

    Beacons(byte[] name) {
        this.name = name;
    }

    /** A datagram of so many bytes was to be sent. */
    void wanted(int bytes, long now) {
        if (bytes > LARGE_BYTES) {
            wantedMillis = now;
        }
    }

    /** The next one to be sent: small and large in turn. */
    byte[] next(UUID sender, long now) {
        int large = now - wantedMillis <= WANTED_MILLIS ? Datagrams.MAX : LARGE_BYTES;
        byte[] beacon = nextLarge
                ? Datagram.beacon(Datagram.Kind.LARGE, sender, name, now, large)
                : Datagram.beacon(Datagram.Kind.SMALL, sender, name, now, SMALL_BYTES);
        nextLarge = !nextLarge;
        return beacon;
    }

    /**
     * A beacon of another member arrived.
     *
     * @param bytes of the whole datagram
     * @return what to tell its sender; {@code null} if the next one is soon enough
     */
    @Nullable
    BeaconAckHeader hear(Datagram beacon, int bytes, long now) {
        Heard of = heard.computeIfAbsent(beacon.sender(), sender -> new Heard());
        boolean large = beacon.kind() == Datagram.Kind.LARGE;
        if (large) {
            of.large = beacon.sentMillis();
            of.largeBytes = bytes;
        } else {
            of.small = beacon.sentMillis();
        }
        if (!large && now - of.confirmedMillis < ALONE_MILLIS) {
            return null;
        }
        of.confirmedMillis = now;
        return new BeaconAckHeader(of.small, of.large, of.largeBytes);
    }

    /** Forgets who is not among these. */
    void retain(Collection<Address> present) {
        heard.keySet().retainAll(present);
    }
}
