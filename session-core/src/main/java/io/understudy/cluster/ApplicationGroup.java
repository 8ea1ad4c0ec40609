package io.understudy.cluster;

import io.understudy.cluster.Exchange.NoAnswerException;
import io.understudy.codec.Frame;
import io.understudy.codec.Frame.Ack;
import io.understudy.codec.Frame.Change;
import io.understudy.codec.Frame.Digest;
import io.understudy.codec.Frame.DigestRequest;
import io.understudy.codec.Frame.Digests;
import io.understudy.codec.Frame.FindRequest;
import io.understudy.codec.Frame.Phase;
import io.understudy.codec.Frame.Request;
import io.understudy.codec.Frame.StateRequest;
import io.understudy.codec.Frame.States;
import io.understudy.codec.Frame.Touch;
import io.understudy.codec.Frame.Touches;
import io.understudy.codec.Frame.Update;
import io.understudy.metrics.Counter;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionKey;
import io.understudy.replica.SessionReplica;
import io.understudy.replica.Stamp;
import io.understudy.store.Merged;
import io.understudy.store.ReplicaStore;
import io.understudy.store.StoredReplica;
import io.understudy.store.Tombstones;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jgroups.Address;

/**
 * The members that serve one application, seen from this one: publishes its changes, merges theirs, and answers what they
 * ask.
 *
 * <p>Threads: {@code publish}, {@code touch} and {@code fetch} in request threads, the receiving methods on JGroups' and
 * SCOPE's threads; these never wait and never touch an application's class.
 */
public final class ApplicationGroup implements AutoCloseable {

    /** Attribute bytes in one frame; larger changes are sent in parts, far below the flow control's credits. */
    static final int MAX_PART_BYTES = 1 << 20;

    /** Bytes of sessions in one answer, unless the first alone is larger. */
    private static final int MAX_STATE_BYTES = 256 << 10;

    /** Digests in one answer: 128 KB. */
    private static final int MAX_DIGESTS = 8192;

    /** How long a request may wait for a session to be fetched. */
    private static final Duration FETCH_LIMIT = Duration.ofSeconds(2);

    /** How long a request is held while this node waits to be confirmed. */
    private static final Duration HOLD_LIMIT = Duration.ofSeconds(5);

    private final ClusterChannel channel;
    private final String name;
    private final long number;
    private final ReplicaStore store;
    private final Reconciler reconciler;
    private final Joiner joiner;
    private final Map<SessionKey, Touch> touches = new ConcurrentHashMap<>();
    private volatile CompletableFuture<Void> confirmed = CompletableFuture.completedFuture(null);
    private volatile Phase phase = Phase.JOINING;
    private volatile String waitingFor = "the other members";

    ApplicationGroup(ClusterChannel channel, String name) {
        this.channel = channel;
        this.name = name;
        this.number = number(name);
        this.store = new ReplicaStore(channel.time(), new Tombstones(24L * 3600 * 1000, 500_000));
        this.reconciler = new Reconciler(this, channel.exchange());
        this.joiner =
                new Joiner(this, channel.members(), reconciler, channel.config().startAloneAfter());
    }

    /** The number an application goes by on the wire: the first 64 bits of the SHA-256 of its name. */
    static long number(String application) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(application.getBytes(StandardCharsets.UTF_8));
            return ByteBuffer.wrap(hash).getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    long number() {
        return number;
    }

    public String name() {
        return name;
    }

    /** How log lines about this application on this node begin. */
    public String label() {
        return name + "@" + channel.config().nodeName();
    }

    public ReplicaStore store() {
        return store;
    }

    Joiner joiner() {
        return joiner;
    }

    /** Whether this member holds all sessions of the application. */
    public boolean ready() {
        return phase == Phase.READY;
    }

    /** What joining waits for. */
    public String waitingFor() {
        return waitingFor;
    }

    void waitingFor(String what) {
        waitingFor = what;
    }

    /**
     * Stops vouching for what is held here, as other members may have gone on without this one, until they have confirmed
     * it and all was compared.
     */
    void suspend(String reason) {
        waitingFor = "confirmation by the other members, as it " + reason;
        synchronized (this) {
            if (confirmed.isDone()) {
                confirmed = new CompletableFuture<>();
            }
        }
        if (phase == Phase.READY) {
            phase(Phase.COUNTED);
        }
        joiner.repair();
    }

    /** Ends a suspension. */
    void confirm() {
        if (phase == Phase.COUNTED) {
            phase(Phase.READY);
        }
        synchronized (this) {
            confirmed.complete(null);
        }
    }

    /**
     * Holds a request while this node is suspended.
     *
     * @return whether the node may answer it
     */
    public boolean awaitConfirmed() {
        channel.checkPulse();
        CompletableFuture<Void> now = confirmed;
        if (now.isDone()) {
            return true;
        }
        try {
            now.get(HOLD_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException | ExecutionException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    Phase phase() {
        return phase;
    }

    void phase(Phase reached) {
        phase = reached;
        channel.announce();
    }

    /**
     * Merges a change here and gives it its place in the session's order. Nothing is sent yet.
     *
     * @param ageMillis how long ago the session began
     */
    public Outgoing prepare(SessionDelta delta, long ageMillis) {
        touches.remove(delta.key());
        List<Outgoing.Part> parts = new ArrayList<>();
        List<SessionDelta> deltas = DeltaParts.of(delta, MAX_PART_BYTES);
        for (SessionDelta part : deltas) {
            Update update = new Update(ageMillis, 0, part);
            merge(update);
            boolean more = parts.size() < deltas.size() - 1;
            parts.add(channel.prepare(this, new Change(number, more, update), delta.key()));
        }
        forgetIfEnded(delta.key());
        return new Outgoing(parts, channel::send);
    }

    /** Notes a use that changed nothing; it goes out with others when the interval is over. */
    public void touch(SessionKey key, Stamp lastUse) {
        store.merge(SessionDelta.touched(key, lastUse), 0, 0);
        touches.put(key, new Touch(key, lastUse, channel.time().monotonicMillis()));
    }

    void sendTouches() {
        long now = channel.time().monotonicMillis();
        List<Touch> batch = new ArrayList<>();
        for (SessionKey key : List.copyOf(touches.keySet())) {
            Touch touch = touches.remove(key);
            if (touch != null) {
                batch.add(new Touch(key, touch.lastUse(), Math.max(0, now - touch.idleMillis())));
            }
        }
        for (int from = 0; from < batch.size(); from += MAX_DIGESTS) {
            List<Touch> part = List.copyOf(batch.subList(from, Math.min(batch.size(), from + MAX_DIGESTS)));
            channel.metrics().count(Counter.TOUCHES_SENT, part.size());
            channel.sendToAll(new Touches(number, part));
        }
    }

    /**
     * Looks a session up on the other members, for a member that is not ready.
     *
     * @return whether this node now knows about the session: it was fetched, or a ready member has none with this id
     */
    public boolean fetch(String id) {
        for (Address member : channel.members().others(number, Phase.READY)) {
            try {
                if (reconciler.find(member, id, FETCH_LIMIT)) {
                    channel.metrics().count(Counter.SESSIONS_FETCHED);
                }
                return true;
            } catch (NoAnswerException e) {
                waitingFor = e.reason();
            }
        }
        return ready();
    }

    /** Whether this member expires the session: it used it last, or inherited it from a member that is gone. */
    public boolean ownedHere(SessionReplica replica) {
        Stamp lastUse = replica.lastUse();
        if (lastUse == null || !ready()) {
            return false;
        }
        if (lastUse.origin() == channel.clock().origin()) {
            return true;
        }
        if (channel.members().origins().containsKey(lastUse.origin())) {
            return false;
        }
        List<Address> candidates = new ArrayList<>(channel.members().others(number, Phase.READY));
        candidates.add(channel.self());
        return candidates.stream()
                .max(Comparator.comparingLong(member -> rank(replica.key(), member)))
                .filter(channel.self()::equals)
                .isPresent();
    }

    /** Rendezvous hashing (Thaler, Ravishankar, 1998): every member names the same heir without a message. */
    private static long rank(SessionKey key, Address member) {
        long hash = key.value() * 0x9E3779B97F4A7C15L + member.hashCode();
        hash = (hash ^ (hash >>> 32)) * 0xD6E8FEB86659FD93L;
        return hash ^ (hash >>> 29);
    }

    /** A change of another member arrived, in its turn. */
    void received(Address sender, long changeNumber, Change change) {
        Update update = change.update();
        Merged merged = merge(update);
        boolean parked = merged.after().replica().parked();
        if (parked && !change.more() && phase != Phase.JOINING) {
            channel.asking(
                    () -> fetchParked(sender, changeNumber, update.delta().key()));
        } else {
            channel.acks().ack(sender, new Ack(changeNumber, parked));
        }
        forgetIfEnded(update.delta().key());
    }

    /** An update of a session this member has never seen whole: its sender has it. */
    private void fetchParked(Address sender, long changeNumber, SessionKey key) {
        try {
            reconciler.pull(sender, List.of(key));
        } catch (NoAnswerException e) {
            waitingFor = e.reason();
        }
        StoredReplica stored = store.get(key);
        channel.acks()
                .ack(
                        sender,
                        new Ack(changeNumber, stored == null || stored.replica().parked()));
    }

    void received(Touches received) {
        for (Touch touch : received.touches()) {
            channel.clock().observe(touch.lastUse().time());
            if (store.get(touch.key()) == null) {
                continue; // A use alone says too little of a session that is not known here.
            }
            store.merge(SessionDelta.touched(touch.key(), touch.lastUse()), 0, touch.idleMillis());
        }
    }

    /** A session pulled from another member. */
    void merged(Update update) {
        channel.metrics().count(Counter.SESSIONS_PULLED);
        merge(update);
        forgetIfEnded(update.delta().key());
    }

    private Merged merge(Update update) {
        if (update.delta().lastUse() != null) {
            channel.clock().observe(update.delta().lastUse().time());
        }
        return store.merge(update.delta(), update.ageMillis(), update.idleMillis());
    }

    private void forgetIfEnded(SessionKey key) {
        StoredReplica stored = store.get(key);
        if (stored != null && stored.replica().ended()) {
            channel.forget(key);
        }
    }

    Frame answer(Request request) {
        if (request instanceof DigestRequest digests) {
            return digests(digests);
        }
        if (request instanceof StateRequest states) {
            return states(states);
        }
        FindRequest find = (FindRequest) request;
        StoredReplica found = store.find(find.id());
        return new States(find.request(), found == null ? List.of() : List.of(update(found)), false);
    }

    private Digests digests(DigestRequest request) {
        SessionKey after = request.after();
        List<SessionReplica> above = store.stream()
                .map(StoredReplica::replica)
                .filter(replica -> !replica.parked())
                .filter(replica -> after == null || replica.key().compareTo(after) > 0)
                .sorted(Comparator.comparing(SessionReplica::key))
                .limit(MAX_DIGESTS + 1L)
                .toList();
        List<Digest> page = above.stream()
                .limit(MAX_DIGESTS)
                .map(replica -> new Digest(replica.key(), replica.digest()))
                .toList();
        return new Digests(request.request(), page, above.size() > MAX_DIGESTS);
    }

    private States states(StateRequest request) {
        List<Update> states = new ArrayList<>();
        int bytes = 0;
        boolean truncated = false;
        for (SessionKey key : new HashSet<>(request.keys())) {
            StoredReplica stored = store.get(key);
            if (stored == null || stored.replica().parked()) {
                continue;
            }
            int size = DeltaParts.bytes(stored.replica().asDelta());
            if (!states.isEmpty() && bytes + size > MAX_STATE_BYTES) {
                truncated = true;
                break;
            }
            states.add(update(stored));
            bytes += size;
        }
        return new States(request.request(), states, truncated);
    }

    private Update update(StoredReplica stored) {
        long now = channel.time().monotonicMillis();
        return new Update(
                Math.max(0, now - stored.createdAt()),
                Math.max(0, now - stored.usedAt()),
                stored.replica().asDelta());
    }

    /** Says goodbye for this application. */
    @Override
    public void close() {
        joiner.stop();
        channel.leave(this);
    }
}
