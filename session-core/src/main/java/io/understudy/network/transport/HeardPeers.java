package io.understudy.network.transport;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jgroups.Address;

/**
 * When each peer that there is a connection to sent something last.
 *
 * <p>Threads: any.
 */
final class HeardPeers {

    /** The time of the latest frame, or of the connection. */
    private final Map<Address, Long> heard = new ConcurrentHashMap<>();

    /** Peers of which something was delivered. */
    private final Set<Address> proven = ConcurrentHashMap.newKeySet();

    /** A frame of a peer was delivered. */
    void delivered(Address peer) {
        heard.put(peer, System.nanoTime());
        proven.add(peer);
    }

    /** There is a new connection to a peer. */
    void connected(Address peer) {
        heard.put(peer, System.nanoTime());
    }

    /** Whether something of this peer was ever delivered over its connection. */
    boolean proven(Address peer) {
        return proven.contains(peer);
    }

    /** Whether a peer is known, and has sent nothing for longer than so many nanoseconds. */
    boolean silent(Address peer, long nanos) {
        Long last = heard.get(peer);
        return last != null && System.nanoTime() - last > nanos;
    }

    /** The same at {@code now}; a peer that is not known is from then on. */
    boolean silent(Address peer, long nanos, long now) {
        Long last = heard.putIfAbsent(peer, now);
        return last != null && now - last > nanos;
    }

    /** No peer is silent for what was before. */
    void forgetTimes() {
        heard.clear();
    }

    /** There are connections to these peers only. */
    void retain(Set<Address> connected) {
        heard.keySet().retainAll(connected);
        proven.retainAll(connected);
    }

    void clear() {
        heard.clear();
        proven.clear();
    }
}
