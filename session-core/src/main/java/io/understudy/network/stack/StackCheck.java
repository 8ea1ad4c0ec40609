package io.understudy.network.stack;

import io.understudy.config.ConfigException;
import io.understudy.network.detection.ASYNC_FD_SOCK2;
import io.understudy.network.detection.FAST_MERGE3;
import io.understudy.network.detection.SIDE_GMS;
import io.understudy.network.transport.FlowCredits;
import io.understudy.network.transport.GAPSKIP_NAKACK4;
import io.understudy.network.transport.QUEUED_TCP;
import io.understudy.network.transport.SEALED_MPING;
import io.understudy.network.transport.SEALED_UDP;
import io.understudy.ordering.SCOPE;
import io.understudy.ordering.SCOPE_FC;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jgroups.protocols.BPING;
import org.jgroups.protocols.Discovery;
import org.jgroups.protocols.FD_SOCK;
import org.jgroups.protocols.FD_SOCK2;
import org.jgroups.protocols.FailureDetection;
import org.jgroups.protocols.FlowControl;
import org.jgroups.protocols.Fragmentation;
import org.jgroups.protocols.MPING;
import org.jgroups.protocols.TCPGOSSIP;
import org.jgroups.protocols.TP;
import org.jgroups.protocols.UFC;
import org.jgroups.protocols.UNICAST4;
import org.jgroups.protocols.VERIFY_SUSPECT2;
import org.jgroups.protocols.pbcast.GMS;
import org.jgroups.protocols.pbcast.STATE_SOCK;
import org.jgroups.stack.Protocol;

/** What a stack has to have for replication to keep its promises, from the bottom to the top. */
final class StackCheck {

    /**
     * A protocol that is needed.
     *
     * @param name what a message calls it, and what it should be if nothing else is meant
     * @param without what happens if it is not there
     * @param above the types of which one, at least, has to be below it
     */
    private record Need(
            Class<? extends Protocol> type, String name, String without, List<Class<? extends Protocol>> above) {}

    private static final List<Need> NEEDS = List.of(
            new Need(Discovery.class, "a discovery, such as TCPPING", "members do not find each other", List.of()),
            new Need(
                    FAST_MERGE3.class,
                    "FAST_MERGE3",
                    "separated members do not merge, or a member that leaves is merged in again",
                    List.of(Discovery.class)),
            new Need(
                    FailureDetection.class,
                    "a failure detection by heartbeats, such as FD_ALL3",
                    "coherent responses wait for members that hang",
                    List.of(Discovery.class)),
            new Need(
                    VERIFY_SUSPECT2.class,
                    "VERIFY_SUSPECT2",
                    "a broken connection alone removes a member from the view",
                    List.of(FailureDetection.class)),
            new Need(
                    GAPSKIP_NAKACK4.class,
                    "GAPSKIP_NAKACK4",
                    "messages to all members get lost, or wait for ever for messages that no member has any more",
                    List.of(Discovery.class)),
            new Need(
                    UNICAST4.class,
                    "UNICAST4",
                    "answers of members get lost, or out of order",
                    List.of(Discovery.class)),
            new Need(
                    SIDE_GMS.class,
                    "SIDE_GMS, in place of pbcast.GMS,",
                    "there are no views, or requests wait for half a second when a member that stood still is back",
                    List.of(FAST_MERGE3.class, VERIFY_SUSPECT2.class, GAPSKIP_NAKACK4.class, UNICAST4.class)),
            new Need(
                    Fragmentation.class,
                    "a fragmentation, such as FRAG4",
                    "messages larger than a packet are not sent",
                    List.of(GAPSKIP_NAKACK4.class, UNICAST4.class)),
            new Need(
                    SCOPE.class,
                    "SCOPE",
                    "changes of a session arrive out of order",
                    List.of(Fragmentation.class, GMS.class)),
            new Need(
                    SCOPE_FC.class,
                    "SCOPE_FC, in place of MFC,",
                    "the memory of a slow member fills, or all members wait for a gap",
                    List.of(SCOPE.class)),
            new Need(UFC.class, "UFC", "the memory of a slow member fills", List.of(Fragmentation.class)));

    /** Protocols with sockets of their own, which the seal of the transport does not cover. */
    private static final List<Class<? extends Protocol>> BESIDE =
            List.of(MPING.class, BPING.class, TCPGOSSIP.class, FD_SOCK.class, FD_SOCK2.class, STATE_SOCK.class);

    /** In bytes; above the largest frame that is sent unconfirmed. */
    private static final int MIN_FRAGMENT = 12_000;

    private final List<Protocol> stack;
    private final List<String> problems = new ArrayList<>();

    private StackCheck(List<Protocol> stack) {
        this.stack = stack;
    }

    /**
     * @param stack from the bottom to the top
     * @param sealed whether there is a secret
     * @throws ConfigException naming all that is missing, or in the wrong order
     */
    static void check(String file, List<Protocol> stack, boolean sealed) {
        StackCheck check = new StackCheck(stack);
        check.transport(sealed);
        NEEDS.forEach(check::need);
        check.credits();
        check.fragments();
        if (sealed) {
            check.beside();
        }
        if (!check.problems.isEmpty()) {
            throw new ConfigException("setting 'jgroupsStack' is '" + file + "', an invalid stack: "
                    + String.join("; ", check.problems)
                    + ". docs/design/stack.xml is a valid stack; the first protocol in a file is the lowest");
        }
    }

    /** A fragment of an unconfirmed message that is lost leaves the others in memory until its sender leaves. */
    private void fragments() {
        for (Protocol protocol : stack) {
            if (protocol instanceof Fragmentation fragmentation && fragmentation.getFragSize() < MIN_FRAGMENT) {
                problems.add("frag_size of " + name(protocol) + " is " + fragmentation.getFragSize() + ": expected "
                        + MIN_FRAGMENT + " or more, because acknowledgements are sent in one piece");
            }
        }
    }

    private void transport(boolean sealed) {
        Protocol lowest = stack.isEmpty() ? null : stack.get(0);
        if (!(lowest instanceof TP)) {
            problems.add("the first protocol must be a transport, QUEUED_TCP or SEALED_UDP");
        } else if (sealed && !(lowest instanceof QUEUED_TCP || lowest instanceof SEALED_UDP)) {
            problems.add(name(lowest) + " does not seal, but 'secret' is set: use QUEUED_TCP or SEALED_UDP instead");
        }
    }

    private int lowest(Class<? extends Protocol> type) {
        return IntStream.range(0, stack.size())
                .filter(at -> type.isInstance(stack.get(at)))
                .findFirst()
                .orElse(-1);
    }

    private int highest(Class<? extends Protocol> type) {
        return IntStream.range(0, stack.size())
                .filter(at -> type.isInstance(stack.get(at)))
                .reduce(-1, Math::max);
    }

    private void need(Need need) {
        int at = lowest(need.type());
        if (at < 0) {
            problems.add(need.name() + " is missing: without it " + need.without());
            return;
        }
        for (Class<? extends Protocol> below : need.above()) {
            if (highest(below) > at) {
                problems.add(name(stack.get(at)) + " must be above " + name(stack.get(highest(below)))
                        + ", but is below it");
            }
        }
    }

    /** A message larger than the credits would wait for ever. */
    private void credits() {
        for (Protocol protocol : stack) {
            if (protocol instanceof FlowControl control && control.getMaxCredits() < FlowCredits.MAX_BYTES) {
                problems.add(name(protocol) + " has max_credits=" + control.getMaxCredits()
                        + ", with which large changes wait for ever: expected "
                        + FlowCredits.MAX_BYTES + " or more");
            }
        }
    }

    private void beside() {
        for (Protocol protocol : stack) {
            boolean open = BESIDE.stream().anyMatch(type -> type.isInstance(protocol))
                    && !(protocol instanceof SEALED_MPING || protocol instanceof ASYNC_FD_SOCK2);
            if (open) {
                problems.add(name(protocol) + " has its own sockets, which are not sealed, but 'secret' is set: "
                        + (protocol instanceof MPING
                                ? "use SEALED_MPING instead"
                                : protocol instanceof FD_SOCK || protocol instanceof FD_SOCK2
                                        ? "use ASYNC_FD_SOCK2 instead"
                                        : "remove it"));
            }
        }
    }

    private static String name(Protocol protocol) {
        return protocol.getClass().getSimpleName();
    }
}
