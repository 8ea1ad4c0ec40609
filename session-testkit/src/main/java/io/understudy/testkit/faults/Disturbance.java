package io.understudy.testkit.faults;

import java.util.Optional;
import org.jgroups.Address;
import org.jgroups.Message;

/**
 * What happens to a message that arrives, as far as one fault is concerned.
 *
 * <p>Threads: any.
 */
@FunctionalInterface
interface Disturbance {

    /** Arrives at once, once. */
    Fate ARRIVES = new Fate(1, 0, false);

    /**
     * What happens to a message.
     *
     * @param copies that arrive; 0 is a loss
     * @param delayMillis until each does
     * @param held until the fault ends
     */
    record Fate(int copies, long delayMillis, boolean held) {

        Fate and(Fate other) {
            return new Fate(copies * other.copies, delayMillis + other.delayMillis, held || other.held);
        }
    }

    /**
     * Decides.
     *
     * @param from the name of the node that sent it; empty if it is not known
     * @param to the name of the node at which it arrives
     */
    Fate fate(Message message, String from, String to);

    /** The name of the node with this address. */
    static String name(Address address) {
        return Optional.ofNullable(address).map(org.jgroups.util.NameCache::get).orElse("");
    }
}
