package io.understudy.cluster;

import io.understudy.network.stack.StackCustomizer;
import io.understudy.ordering.SCOPE;
import io.understudy.testkit.Await;
import io.understudy.wire.Frame;
import io.understudy.wire.WireCodec;
import io.understudy.wire.WireFormatException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jgroups.Event;
import org.jgroups.Message;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.stack.Protocol;
import org.jspecify.annotations.Nullable;

/**
 * A protocol of tests on top of a member's stack that throws instead of taking the frames it is told to.
 *
 * <p>Threads: any.
 */
final class RefusingTop extends Protocol implements StackCustomizer {

    /** What it throws. */
    enum Thrown {
        EXCEPTION {
            @Override
            void happen() {
                throw new IllegalArgumentException("a test's");
            }
        },
        MEMORY {
            @Override
            void happen() {
                throw new OutOfMemoryError("a test's");
            }
        },
        LINKAGE {
            @Override
            void happen() {
                throw new NoClassDefFoundError("a/test's");
            }
        };

        abstract void happen();
    }

    static {
        ClassConfigurator.addProtocol((short) 4298, RefusingTop.class);
    }

    private static final class Rule {
        private final Predicate<Frame> which;
        private final Thrown thrown;
        private int left;

        Rule(Predicate<Frame> which, Thrown thrown, int times) {
            this.which = which;
            this.thrown = thrown;
            this.left = times;
        }

        synchronized boolean refuses(Frame frame) {
            return left > 0 && which.test(frame) && left-- > 0;
        }

        synchronized int left() {
            return left;
        }
    }

    private final Queue<Rule> rules = new ConcurrentLinkedQueue<>();
    private final Queue<Rule> always = new ConcurrentLinkedQueue<>();
    private final Queue<Frame> taken = new ConcurrentLinkedQueue<>();
    private volatile @Nullable Predicate<Frame> connectAfter;

    @Override
    public List<Protocol> apply(List<Protocol> protocols) {
        List<Protocol> changed = new ArrayList<>(protocols);
        changed.add(this);
        return changed;
    }

    /** The next frames of this kind are refused. */
    void refuse(int times, Predicate<Frame> which, Thrown thrown) {
        rules.add(new Rule(which, thrown, times));
    }

    /** All frames of this kind are refused; nobody counts on any. */
    void refuseAll(Predicate<Frame> which, Thrown thrown) {
        always.add(new Rule(which, thrown, Integer.MAX_VALUE));
    }

    /** The rules, numbered in the order they were given, that have not refused all they were to. */
    List<String> left() {
        List<String> left = new ArrayList<>();
        int number = 0;
        for (Rule rule : rules) {
            number++;
            if (rule.left() > 0) {
                left.add("rule " + number + ": " + rule.left());
            }
        }
        return left;
    }

    /** The member gets no view, and so is not connected, until a frame of this kind went down the stack. */
    void connectAfter(Predicate<Frame> which) {
        connectAfter = which;
    }

    /** How many frames of this kind went down the stack. */
    long taken(Predicate<Frame> which) {
        return taken.stream().filter(which).count();
    }

    @Override
    public @Nullable Object up(Event event) {
        Predicate<Frame> awaited = connectAfter;
        if (event.getType() == Event.VIEW_CHANGE && awaited != null) {
            Await.that("it goes down before the view comes up", () -> taken(awaited) > 0);
        }
        return up_prot.up(event);
    }

    @Override
    public @Nullable Object down(Message message) {
        Frame frame = frame(message);
        if (frame != null) {
            Stream.concat(always.stream(), rules.stream())
                    .filter(rule -> rule.refuses(frame))
                    .findFirst()
                    .ifPresent(rule -> rule.thrown.happen());
            taken.add(frame);
        }
        return down_prot.down(message);
    }

    /** {@code null} for a change of a session. */
    private static @Nullable Frame frame(Message message) {
        try {
            return message.getHeader(SCOPE.ID) == null && message.hasArray() && message.getLength() > 0
                    ? WireCodec.decode(message.getArray(), message.getOffset(), message.getLength())
                    : null;
        } catch (WireFormatException e) {
            throw new AssertionError("no frame of ours: " + message, e);
        }
    }
}
