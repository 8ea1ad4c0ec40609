package io.understudy.cluster;

import io.understudy.codec.Frame;
import io.understudy.codec.Frame.Request;
import io.understudy.codec.Frame.Response;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.LongFunction;
import org.jgroups.Address;

/**
 * Questions to single members and their answers.
 *
 * <p>Threads: any; {@link #ask} waits.
 */
final class Exchange {

    /** A member did not answer: it left, or the time was over. */
    static final class NoAnswerException extends Exception {

        private static final long serialVersionUID = 1L;

        private final String reason;

        NoAnswerException(String reason) {
            super(reason);
            this.reason = reason;
        }

        String reason() {
            return reason;
        }
    }

    private record Open(Address member, CompletableFuture<Response> answer) {}

    private final Map<Long, Open> open = new ConcurrentHashMap<>();
    /** When each member answered last, late answers too; by {@link System#nanoTime}. */
    private final Map<Address, Long> lastAnswers = new ConcurrentHashMap<>();

    private final AtomicLong numbers = new AtomicLong();
    private final BiConsumer<Address, Frame> send;

    Exchange(BiConsumer<Address, Frame> send) {
        this.send = send;
    }

    /**
     * Asks a member and waits for its answer.
     *
     * @throws NoAnswerException if it left the view, {@code limit} is over, this thread was interrupted, or the answer is
     *     of another kind
     */
    <R extends Response> R ask(Address member, LongFunction<Request> question, Class<R> kind, Duration limit)
            throws NoAnswerException {
        long number = numbers.incrementAndGet();
        CompletableFuture<Response> answer = new CompletableFuture<>();
        open.put(number, new Open(member, answer));
        try {
            send.accept(member, question.apply(number));
            Response response = answer.get(limit.toMillis(), TimeUnit.MILLISECONDS);
            if (!kind.isInstance(response)) {
                throw new NoAnswerException(member + " answered "
                        + response.getClass().getSimpleName() + " instead of " + kind.getSimpleName());
            }
            return kind.cast(response);
        } catch (TimeoutException e) {
            throw new NoAnswerException(member + " did not answer within " + limit.toMillis() + " ms");
        } catch (ExecutionException e) {
            throw new NoAnswerException(member + " left");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NoAnswerException("interrupted while waiting for " + member);
        } finally {
            open.remove(number);
        }
    }

    /** Whether the member has answered anything since that time, by {@link System#nanoTime}. */
    boolean answeredSince(Address member, long nanos) {
        Long last = lastAnswers.get(member);
        return last != null && last - nanos > 0;
    }

    void answered(Address member, Response response) {
        lastAnswers.put(member, System.nanoTime());
        Open question = open.get(response.request());
        if (question != null && question.member().equals(member)) {
            question.answer().complete(response);
        }
    }

    /** Questions to members that left get no answer any more. */
    void view(Set<Address> members) {
        lastAnswers.keySet().retainAll(members);
        open.values().stream()
                .filter(question -> !members.contains(question.member()))
                .forEach(question -> question.answer().completeExceptionally(new IllegalStateException("left")));
    }
}
