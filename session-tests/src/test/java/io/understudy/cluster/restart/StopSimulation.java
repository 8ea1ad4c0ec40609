package io.understudy.cluster.restart;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jgroups.Address;
import org.jspecify.annotations.Nullable;

/**
 * Two to four members with one application, each in a thread of its own, over a network that delays each message and
 * each view by a time of its own. Each has a session that nobody else has. Most stop, one may go on, one may be
 * killed, one may not vouch for what it holds.
 */
final class StopSimulation {

    /** Longest delay of a message or a view, in milliseconds. */
    private static final int LONGEST_MILLIS = 20;

    private final Random random;
    private final List<SimulatedMember> members = new ArrayList<>();

    /** How late this machine was with a task at most. */
    private final AtomicLong latestNanos = new AtomicLong();

    private final ScheduledExecutorService network = Executors.newScheduledThreadPool(4);

    StopSimulation(Random random) {
        this.random = random;
    }

    /**
     * What became of the sessions: how many files there are, or which sessions are lost. Sessions that were handed
     * over to a member that was killed then are not counted.
     */
    String run() throws InterruptedException {
        int count = 2 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            members.add(new SimulatedMember(this, i, random.nextLong()));
        }
        SimulatedMember goesOn = random.nextInt(4) == 0 ? any() : null;
        SimulatedMember killed = random.nextInt(4) == 0 ? any() : null;
        SimulatedMember suspended = random.nextInt(4) == 0 ? any() : null;
        List<Address> view = members.stream().map(SimulatedMember::address).toList();
        for (SimulatedMember member : members) {
            member.begin(view, members, suspended);
        }
        CountDownLatch stopped = new CountDownLatch(count);
        for (SimulatedMember member : members) {
            later(3 * LONGEST_MILLIS, () -> inItsThread(member, member == killed, member == goesOn, stopped));
        }
        boolean ended = stopped.await(200, TimeUnit.SECONDS);
        network.shutdownNow();
        boolean inTime = latestNanos.get() < LastHolder.ANSWER_LIMIT.toNanos() / 2;
        return ended ? outcome(goesOn, killed, suspended, inTime) : "lost: a stop did not end";
    }

    private void inItsThread(SimulatedMember member, boolean killed, boolean goesOn, CountDownLatch stopped) {
        Thread thread = new Thread(() -> {
            try {
                if (killed) {
                    kill(member);
                } else if (!goesOn) {
                    member.stop();
                }
            } finally {
                stopped.countDown();
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private String outcome(
            @Nullable SimulatedMember goesOn,
            @Nullable SimulatedMember killed,
            @Nullable SimulatedMember suspended,
            boolean inTime) {
        Set<String> there = new TreeSet<>();
        Set<String> lost = new TreeSet<>();
        int files = 0;
        for (SimulatedMember member : members) {
            if (member == goesOn && member != killed) {
                there.addAll(member.sessions());
            } else if (member.written()) {
                there.addAll(member.file());
                files++;
            }
        }
        for (SimulatedMember member : members) {
            if (member != killed && (killed == null || !killed.takenOver().contains(member))) {
                lost.add(member.ownSession());
            }
        }
        lost.removeAll(there);
        String kind = (goesOn == null ? "all stop" : "one goes on")
                + (killed == null ? "" : ", one is killed")
                + (suspended == null ? "" : ", one is suspended");
        // Who waited for an answer in vain, as this machine stood still, writes what another one has written.
        if (lost.isEmpty() && kind.equals("all stop") && files != 1 && (inTime || files == 0)) {
            return "lost nothing, but wrote " + files + " of " + members.size() + " files";
        }
        return (lost.isEmpty() ? "" : "lost " + lost + ": ") + kind + ", " + files + " of " + members.size();
    }

    private SimulatedMember any() {
        return members.get(random.nextInt(members.size()));
    }

    /** From now on nothing comes from it; the others notice later. */
    private void kill(SimulatedMember member) {
        member.gone();
        left(member);
    }

    /** The others get the view without it, each in its time; it still answers for a while. */
    void left(SimulatedMember gone) {
        for (SimulatedMember other : members) {
            if (other != gone) {
                later(() -> other.withoutMember(gone.address()));
            }
        }
        later(gone::gone);
    }

    /** Runs it after some milliseconds. */
    void later(Runnable task) {
        later(LONGEST_MILLIS, task);
    }

    private void later(int longestMillis, Runnable task) {
        long millis = random.nextInt(longestMillis);
        long due = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        Runnable timed = () -> {
            latestNanos.accumulateAndGet(System.nanoTime() - due, Math::max);
            task.run();
        };
        try {
            var unused = network.schedule(timed, millis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            // The round is over.
        }
    }

    SimulatedMember at(Address address) {
        return members.stream()
                .filter(member -> member.address().equals(address))
                .findAny()
                .orElseThrow();
    }
}
