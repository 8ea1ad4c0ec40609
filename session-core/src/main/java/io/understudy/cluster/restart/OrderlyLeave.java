package io.understudy.cluster.restart;

import io.understudy.cluster.convergence.Reconciler;
import io.understudy.cluster.membership.LocalApplication;
import io.understudy.cluster.membership.Members;
import io.understudy.cluster.messaging.RequestCorrelator.NoAnswerException;
import io.understudy.cluster.restart.LastHolderElection.Fate;
import io.understudy.threads.Failures;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jgroups.Address;

/**
 * What a member does between its goodbye and its end. It still answers, and takes what others changed before they
 * received the goodbye: they count on it until then.
 *
 * <p>Where sessions are kept, one of those that stop at once is the last holder. Its goodbye may have been the first,
 * and what the others wrote since then did not go to it. So it takes what they have more before it writes, and they
 * stay until it has written.
 *
 * <p>Threads: one at a time, which nobody interrupts.
 */
public final class OrderlyLeave {

    private static final Logger LOG = System.getLogger(OrderlyLeave.class.getName());

    /** An application whose sessions may be lost with this member. */
    public interface Stopping {
        long number();

        /** How log lines about it begin. */
        String label();

        /** Takes what a member has more that is about to leave; how many sessions. */
        int pullLast(Address member) throws NoAnswerException;

        /** Writes its sessions; whether that was possible. */
        boolean keep();
    }

    /** One of this node. */
    public record Held(LocalApplication application, Reconciler reconciler, SessionRestore restoration)
            implements Stopping {

        @Override
        public long number() {
            return application.number();
        }

        @Override
        public String label() {
            return application.label();
        }

        @Override
        public int pullLast(Address member) throws NoAnswerException {
            return reconciler.pullLast(member);
        }

        @Override
        public boolean keep() {
            return restoration.keep();
        }
    }

    /** How often a member that stops is asked for what it has more. */
    private static final int TRIES = 3;

    /**
     * How long this member waits until others have taken over its applications, and again until others have kept them. It
     * keeps the rest itself.
     */
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private final Members members;
    private final LastHolder lastHolder;
    private final Failures failures;

    public OrderlyLeave(Members members, LastHolder lastHolder, Failures failures) {
        this.members = members;
        this.lastHolder = lastHolder;
        this.failures = failures;
    }

    /** Keeps the sessions of those applications that no other member has, and waits until the others are kept. */
    public void keep(Collection<Stopping> held) {
        long handOverEnd = System.nanoTime() + LIMIT.toNanos();
        List<Stopping> open = new ArrayList<>();
        for (Stopping each : held) {
            if (!lastHolder.handedOver(each.number(), handOverEnd)) {
                open.add(each);
            }
        }
        List<Stopping> elsewhere = new ArrayList<>();
        for (Stopping each : open) {
            if (lastHolder.isLast(each.number())) {
                keep(each);
            } else {
                elsewhere.add(each);
            }
        }
        long waitEnd = System.nanoTime() + LIMIT.toNanos();
        elsewhere.forEach(each -> leaveToOthers(each, waitEnd));
    }

    /** A failure with one application is no other one's business. Who waits stays until the sessions are on a disk. */
    private void keep(Stopping each) {
        String label = each.label();
        failures.run("gathering the sessions of " + label, () -> gather(each));
        failures.run("keeping the sessions of " + label, () -> {
            if (each.keep()) {
                lastHolder.kept(each.number());
            }
        });
    }

    /** Waits until another member has the sessions; keeps them here if none does. */
    private void leaveToOthers(Stopping each, long end) {
        boolean open = true;
        while (open) {
            Fate fate = lastHolder.awaitKept(each.number(), end);
            boolean safe = fate == Fate.KEPT || isElsewhere(fate, each, end);
            boolean last = !safe && (isLast(fate, each) || System.nanoTime() - end >= 0);
            if (last) {
                keep(each);
            }
            open = !safe && !last;
        }
    }

    private boolean isElsewhere(Fate fate, Stopping each, long end) {
        return fate == Fate.ELSEWHERE && lastHolder.handedOver(each.number(), end);
    }

    private boolean isLast(Fate fate, Stopping each) {
        long number = each.number();
        return switch (fate) {
            case UNDECIDED -> lastHolder.isLast(number);
            case UNCLAIMED -> lastHolder.isLastAsNobodyIs(number);
            case KEPT, ELSEWHERE, OPEN -> false;
        };
    }

    private void gather(Stopping each) {
        for (Address member : members.view()) {
            if (!members.isSelf(member)) {
                boolean unused = takeOver(each, member, () -> members.view().contains(member));
            }
        }
    }

    /** Takes what a member that stops has more, as long as it is there; whether it answered. */
    public static boolean takeOver(Stopping here, Address member, BooleanSupplier there) {
        boolean pulled = false;
        for (int tries = 0; !pulled && tries < TRIES && there.getAsBoolean(); tries++) {
            pulled = pull(here, member);
        }
        return pulled;
    }

    private static boolean pull(Stopping each, Address member) {
        String label = each.label();
        try {
            int pulled = each.pullLast(member);
            LOG.log(Level.DEBUG, "{0} - pulled {1} sessions of {2}, which also stops", label, pulled, member);
            return true;
        } catch (NoAnswerException e) {
            LOG.log(Level.DEBUG, "{0} - pulled nothing from {1}: {2}", label, member, e.getMessage());
            return false;
        }
    }
}
