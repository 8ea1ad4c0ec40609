package io.understudy.cluster.messaging;

import io.understudy.threads.Failures;
import io.understudy.wire.Frame;
import io.understudy.wire.Frame.Request;
import io.understudy.wire.Frame.Response;
import io.understudy.wire.WireFormatException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.LongFunction;
import org.jgroups.Address;
import org.jspecify.annotations.Nullable;

/**
 * Questions to single members and their answers.
 *
 * <p>Threads: any; {@link #ask} and {@link Round#next} wait.
 */
public final class RequestCorrelator {

    /** A member did not answer: it could not be queried, it left, or the time was over. */
    public static class NoAnswerException extends Exception {

        private static final long serialVersionUID = 1L;

        private final String reason;

        public NoAnswerException(String reason) {
            super(reason);
            this.reason = reason;
        }

        public String reason() {
            return reason;
        }
    }

    /**
     * What one of several members answered.
     *
     * @param response {@code null} if it left, or its answer is of another kind
     */
    public record Reply<R extends Response>(
            Address member, @Nullable R response) {}

    /**
     * Questions to several members, whose answers come in any order. Those that come after it was closed are for nobody.
     *
     * <p>Threads: one.
     */
    public final class Round<R extends Response> implements AutoCloseable {

        private final Class<R> kind;
        private final Set<Long> asked = new HashSet<>();
        private final BlockingQueue<Reply<R>> replies = new LinkedBlockingQueue<>();

        private Round(Class<R> kind) {
            this.kind = kind;
        }

        /** Does not wait. @return whether the question was sent; else no reply comes of it */
        public boolean ask(Address member, LongFunction<Request> question) {
            long number = numbers.incrementAndGet();
            CompletableFuture<Response> answer = new CompletableFuture<>();
            asked.add(number);
            await(number, member, answer);
            if (!sent(member, number, question)) {
                open.remove(number);
                return false;
            }
            var unused = answer.whenComplete((response, left) ->
                    replies.add(new Reply<>(member, kind.isInstance(response) ? kind.cast(response) : null)));
            return true;
        }

        /** The next answer; {@code null} if none came in time, or this thread is interrupted, and stays so. */
        public @Nullable Reply<R> next(long nanos) {
            try {
                return replies.poll(nanos, TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return null;
            }
        }

        @Override
        public void close() {
            asked.forEach(open::remove);
        }
    }

    /** A member answered with sessions of which one can't be read. */
    public static final class UnreadableAnswerException extends NoAnswerException {

        private static final long serialVersionUID = 1L;

        UnreadableAnswerException(String reason) {
            super(reason);
        }
    }

    /** Far more than leave while somebody goes through the members of a view. */
    private static final int MOST_LEFT = 100;

    private record Open(Address member, CompletableFuture<Response> answer) {}

    private final Map<Long, Open> open = new ConcurrentHashMap<>();
    /** When each member answered last, late answers too; by {@link System#nanoTime}. */
    private final Map<Address, Long> lastAnswers = new ConcurrentHashMap<>();

    private volatile Set<Address> present = Set.of();

    /** The members that left last, for those who saw them in a view before. */
    private volatile List<Address> left = List.of();

    private final AtomicLong numbers = new AtomicLong();
    private final BiConsumer<Address, Frame> send;
    private final Failures failures;

    /** @param send throws if it could not send */
    public RequestCorrelator(BiConsumer<Address, Frame> send, Failures failures) {
        this.send = send;
        this.failures = failures;
    }

    /**
     * Asks a member and waits for its answer.
     *
     * @throws UnreadableAnswerException if a session in the answer can't be read
     * @throws NoAnswerException if the question could not be sent, the member left the view, {@code limit} is over, this
     *     thread was interrupted, or the answer is of another kind
     */
    public <R extends Response> R ask(Address member, LongFunction<Request> question, Class<R> kind, Duration limit)
            throws NoAnswerException {
        long number = numbers.incrementAndGet();
        CompletableFuture<Response> answer = new CompletableFuture<>();
        await(number, member, answer);
        try {
            if (!sent(member, number, question)) {
                throw new NoAnswerException(member + " could not be queried");
            }
            Response response = answer.get(limit.toMillis(), TimeUnit.MILLISECONDS);
            if (!kind.isInstance(response)) {
                throw new NoAnswerException(member + " answered "
                        + response.getClass().getSimpleName() + " instead of " + kind.getSimpleName());
            }
            return kind.cast(response);
        } catch (TimeoutException e) {
            throw new NoAnswerException(member + " did not answer within " + limit.toMillis() + " ms");
        } catch (ExecutionException e) {
            throw e.getCause() instanceof WireFormatException unreadable
                    ? new UnreadableAnswerException(String.valueOf(unreadable.getMessage()))
                    : new NoAnswerException(member + " left the cluster");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NoAnswerException("interrupted while waiting for " + member);
        } finally {
            open.remove(number);
        }
    }

    /** The views without the member may come just before this: nobody would end the question. */
    private void await(long number, Address member, CompletableFuture<Response> answer) {
        open.put(number, new Open(member, answer));
        if (left.contains(member)) {
            answer.completeExceptionally(new IllegalStateException("left"));
        }
    }

    private boolean sent(Address member, long number, LongFunction<Request> question) {
        return failures.insist("querying a member", () -> send.accept(member, question.apply(number)));
    }

    /** Questions to several members at once, which are answered by this kind. */
    public <R extends Response> Round<R> round(Class<R> kind) {
        return new Round<>(kind);
    }

    /** How many questions wait for an answer. */
    public int open() {
        return open.size();
    }

    /** Whether the member has answered anything since that time, by {@link System#nanoTime}. */
    public boolean answeredSince(Address member, long nanos) {
        Long last = lastAnswers.get(member);
        return last != null && last - nanos > 0;
    }

    public void answered(Address member, Response response) {
        lastAnswers.put(member, System.nanoTime());
        Open question = open.get(response.request());
        if (question != null && question.member().equals(member)) {
            question.answer().complete(response);
        }
    }

    /**
     * An answer came that can't be read.
     *
     * @return whether a request waits for it, which fails then
     */
    public boolean unreadable(Address member, WireFormatException answer) {
        Open question = open.get(answer.answered());
        if (question == null || !question.member().equals(member)) {
            return false;
        }
        lastAnswers.put(member, System.nanoTime());
        return question.answer().completeExceptionally(answer);
    }

    /** Questions to members that left get no answer any more. */
    public void view(Set<Address> members) {
        List<Address> gone = new ArrayList<>(left);
        gone.addAll(present);
        gone.removeAll(members);
        left = List.copyOf(gone.subList(Math.max(0, gone.size() - MOST_LEFT), gone.size()));
        present = Set.copyOf(members);
        lastAnswers.keySet().retainAll(members);
        open.values().stream()
                .filter(question -> !members.contains(question.member()))
                .forEach(question -> question.answer().completeExceptionally(new IllegalStateException("left")));
    }
}
