package io.understudy.testkit.faults;

import io.understudy.ordering.SCOPE_FC;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import org.jgroups.Address;
import org.jgroups.protocols.FlowControl;
import org.jgroups.protocols.UFC;
import org.jgroups.stack.ProtocolStack;
import org.jgroups.util.CreditMap;

/**
 * Credits of the flow controls that got lost. At rest a sender has as many for a receiver as the receiver counts for it.
 * The sender lacks those of a message that is under way, and of one that was lost together with its credits.
 */
final class Credits {

    private Credits() {}

    /** Bytes by flow control, sender and receiver, where any lack; and those that a receiver never handles. */
    static Map<String, Long> lacking(Collection<ProtocolStack> members) {
        Map<String, Long> lacking = new TreeMap<>();
        for (ProtocolStack sender : members) {
            for (ProtocolStack receiver : members) {
                Address to = receiver.getChannel().getAddress();
                UFC unicasts = sender.findProtocol(UFC.class);
                SCOPE_FC multicasts = sender.findProtocol(SCOPE_FC.class);
                if (to != null) {
                    put(lacking, unicasts, unicasts.getSenderCreditsFor(to), receiver);
                    put(lacking, multicasts, left(multicasts, to), receiver);
                }
            }
            long unhandled = sender.<SCOPE_FC>findProtocol(SCOPE_FC.class).getUnhandledBytes();
            if (unhandled != 0) {
                lacking.put("unhandled at " + sender.getChannel().getAddress(), unhandled);
            }
        }
        return lacking;
    }

    private static void put(Map<String, Long> lacking, FlowControl sending, long left, ProtocolStack receiver) {
        Address from = sending.getProtocolStack().getChannel().getAddress();
        FlowControl receiving = receiver.findProtocol(sending.getClass());
        long lack = from == null ? 0 : receiving.getReceiverCreditsFor(from) - left;
        if (lack > 0) {
            Address to = receiver.getChannel().getAddress();
            lacking.put(sending.getName() + " " + from + " to " + to, lack);
        }
    }

    /** The map's numbers are those before the last messages, whose bytes it counts apart. */
    private static long left(SCOPE_FC multicasts, Address to) {
        CreditMap credits = (CreditMap) multicasts.getValue("credits");
        Long left = credits.get(to);
        return left == null ? 0 : left - credits.getAccumulatedCredits();
    }
}
