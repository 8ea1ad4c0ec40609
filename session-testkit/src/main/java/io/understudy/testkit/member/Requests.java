package io.understudy.testkit.member;

import io.understudy.NodeFigures;
import io.understudy.Readiness;
import io.understudy.Understudy;
import io.understudy.audit.AuditEntry;
import io.understudy.session.Admission;
import io.understudy.session.Commit;
import io.understudy.session.LiveSession;
import io.understudy.session.ReplicatedSessions;
import io.understudy.session.SessionUse;
import io.understudy.session.lock.SessionLock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * What a container with a deployed application would do, request by request.
 *
 * <p>Threads: any.
 */
final class Requests {

    /** How long listeners work when a session expires. */
    private static final long LISTENER_NANOS = 5_000_000;

    private final Understudy node;
    private final ReplicatedSessions sessions;
    private final RiskGauge risk;
    private final EndLog ends;

    Requests(Understudy node, ReplicatedSessions sessions, RiskGauge risk, EndLog ends) {
        this.node = node;
        this.sessions = sessions;
        this.risk = risk;
        this.ends = ends;
    }

    List<String> answer(Call.Operation operation, List<String> words) {
        return switch (operation) {
            case CREATE -> create(words);
            case WRITE -> write(words.get(0), session -> put(session, words, 1), bytes(words));
            case READ -> within(words.get(0), this::read);
            case INVALIDATE -> within(words.get(0), this::invalidate);
            case RENAME -> within(words.get(0), session -> outcome(session.rename(words.get(1)), 0));
            case INCREMENT -> write(words.get(0), session -> increment(session, words), 0);
            case DUMP -> dump();
            case READY -> ready();
            case VIEW -> List.of(Result.OK.name(), NodeFigures.view(node));
            case FIGURES -> figures();
            case FILL -> fill(words);
            case CHECK -> check(words);
            case TURN -> turn(words);
            case AUDIT -> audit();
            default -> throw new IllegalArgumentException(operation + " is not for an application");
        };
    }

    private List<String> create(List<String> words) {
        LiveSession session = sessions.create(words.get(0), Integer.parseInt(words.get(1)));
        return request(session, () -> put(session, words, 2), bytes(words));
    }

    private List<String> write(String id, Consumer<LiveSession> work, int bytes) {
        return within(id, session -> request(session, () -> work.accept(session), bytes));
    }

    /** As containers do: nothing is looked up before the node vouches for what it holds. */
    private List<String> within(String id, Function<LiveSession, List<String>> work) {
        if (sessions.admit(id) == Admission.UNAVAILABLE) {
            return List.of(Result.UNAVAILABLE.name());
        }
        try (SessionLock lock = sessions.locks("/") ? sessions.lock(id) : null) {
            if (lock != null && lock.refused()) {
                return List.of(Result.UNAVAILABLE.name());
            }
            risk.locked(lock == null ? 0 : lock.fence());
            try {
                LiveSession session = sessions.find(id);
                return session == null ? List.of(Result.MISSING.name()) : work.apply(session);
            } finally {
                risk.locked(0);
            }
        }
    }

    private List<String> request(LiveSession session, Runnable work, int bytes) {
        SessionUse use = session.use();
        try {
            use.begin();
            work.run();
            return outcome(use.commit(null), bytes);
        } finally {
            use.end();
        }
    }

    private List<String> outcome(Commit commit, int bytes) {
        Commit.Outcome outcome = commit.await();
        risk.responded(bytes);
        return List.of(outcome.name());
    }

    private static void put(LiveSession session, List<String> words, int from) {
        for (int i = from; i + 1 < words.size(); i += 2) {
            if (words.get(i + 1).isEmpty()) {
                session.attributes().remove(words.get(i));
            } else {
                session.attributes().put(words.get(i), words.get(i + 1));
            }
        }
    }

    private static void increment(LiveSession session, List<String> words) {
        String name = words.get(1);
        Object value = session.attributes().get(name);
        long before = value == null ? 0 : Long.parseLong(value.toString());
        try {
            Thread.sleep(Long.parseLong(words.get(2)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        session.attributes().put(name, String.valueOf(before + 1));
    }

    private static int bytes(List<String> words) {
        return words.stream().mapToInt(String::length).sum();
    }

    private List<String> read(LiveSession session) {
        SessionUse use = session.use();
        try {
            use.begin();
            List<String> answer = new ArrayList<>(List.of(Result.OK.name()));
            attributes(session).forEach((name, value) -> answer.addAll(List.of(name, value)));
            use.commit(null);
            return answer;
        } finally {
            use.end();
        }
    }

    private static Map<String, String> attributes(LiveSession session) {
        Map<String, String> attributes = new TreeMap<>();
        session.attributes().forEach((name, value) -> attributes.put(name, value.toString()));
        return attributes;
    }

    private List<String> invalidate(LiveSession session) {
        if (!session.beginEnd()) {
            return outcome(Commit.NOTHING, 0);
        }
        ends.told("invalidated", "" + session.key(), session.id());
        return outcome(session.invalidate(), 0);
    }

    /**
     * Tells, as a container would tell its listeners, then ends the session; for all that are due, several at once.
     *
     * @param on false when the application is about to be stopped
     */
    int expire(Executor threads, BooleanSupplier on) {
        Queue<LiveSession> due = new ConcurrentLinkedQueue<>(sessions.expirable());
        if (due.isEmpty()) {
            return 0;
        }
        AtomicInteger told = new AtomicInteger();
        CompletableFuture<?>[] done = new CompletableFuture<?>[RemoteMember.EXPIRY_THREADS];
        Arrays.setAll(
                done,
                thread -> CompletableFuture.runAsync(
                        () -> {
                            for (LiveSession session = due.poll(); session != null; session = due.poll()) {
                                if (on.getAsBoolean() && session.beginExpiry()) {
                                    String cause = session.inheritsInvalidation() ? "invalidated" : "expired";
                                    ends.told(cause, "" + session.key(), session.id());
                                    listen();
                                    told.incrementAndGet();
                                    session.expire().await();
                                }
                            }
                        },
                        threads));
        CompletableFuture.allOf(done).join();
        return told.get();
    }

    /** Listeners have something to do: meanwhile the member may be killed. */
    private static void listen() {
        LockSupport.parkNanos(LISTENER_NANOS);
    }

    private List<String> audit() {
        List<String> answer = new ArrayList<>(List.of(Result.OK.name()));
        for (AuditEntry entry : sessions.audit().entries()) {
            answer.addAll(List.of("" + entry.what(), "" + entry.key(), "" + entry.id(), entry.member()));
        }
        return answer;
    }

    /** Looks without using: no request, no touch. */
    private List<String> dump() {
        List<String> answer = new ArrayList<>(List.of(Result.OK.name()));
        for (String id : sessions.ids()) {
            LiveSession session = sessions.find(id);
            if (session != null && !Filling.made(id)) {
                Map<String, String> attributes = attributes(session);
                answer.add(id);
                answer.add(String.valueOf(attributes.size()));
                attributes.forEach((name, value) -> answer.addAll(List.of(name, value)));
            }
        }
        return answer;
    }

    private List<String> ready() {
        Readiness readiness = node.readiness();
        return List.of(Result.OK.name(), String.valueOf(readiness.ready()), readiness.reason());
    }

    private List<String> figures() {
        List<String> answer = new ArrayList<>(List.of(Result.OK.name()));
        NodeFigures.of(node).forEach((name, value) -> answer.addAll(List.of(name, String.valueOf(value))));
        return answer;
    }

    private List<String> fill(List<String> words) {
        int[] numbers = words.stream().mapToInt(Integer::parseInt).toArray();
        long made = Filling.make(sessions, numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]);
        return List.of(Result.OK.name(), String.valueOf(made));
    }

    private List<String> check(List<String> words) {
        int[] numbers = words.stream().mapToInt(Integer::parseInt).toArray();
        long[] found = Filling.check(sessions, numbers[0], numbers[1], numbers[2]);
        return List.of(Result.OK.name(), String.valueOf(found[0]), String.valueOf(found[1]));
    }

    private List<String> turn(List<String> words) {
        node.setNodeCoherent(Boolean.parseBoolean(words.get(0)));
        return List.of(Result.OK.name());
    }
}
