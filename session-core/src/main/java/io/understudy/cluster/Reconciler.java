package io.understudy.cluster;

import io.understudy.cluster.Exchange.NoAnswerException;
import io.understudy.codec.Frame.Digest;
import io.understudy.codec.Frame.DigestRequest;
import io.understudy.codec.Frame.Digests;
import io.understudy.codec.Frame.FindRequest;
import io.understudy.codec.Frame.StateRequest;
import io.understudy.codec.Frame.States;
import io.understudy.codec.Frame.Update;
import io.understudy.replica.SessionKey;
import io.understudy.store.StoredReplica;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jgroups.Address;

/**
 * Makes this member hold all that another one holds: compares digests and pulls what differs. Joining, repair after a
 * merge and the fetch of a single session are all this.
 *
 * <p>Threads: callers wait; merges are safe beside live traffic.
 */
final class Reconciler {

    /** How long one answer may take. */
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(5);

    /** Sessions asked for in one question. */
    private static final int KEYS_PER_REQUEST = 512;

    private final ApplicationGroup group;
    private final Exchange exchange;

    Reconciler(ApplicationGroup group, Exchange exchange) {
        this.group = group;
        this.exchange = exchange;
    }

    /**
     * Pulls every session that {@code member} holds and this one does not hold alike.
     *
     * @return the number of sessions pulled
     * @throws NoAnswerException if the member left or did not answer; what came before is merged
     */
    int pullAll(Address member) throws NoAnswerException {
        int pulled = 0;
        SessionKey after = null;
        boolean more = true;
        while (more) {
            SessionKey from = after;
            Digests page = exchange.ask(
                    member, number -> new DigestRequest(number, group.number(), from), Digests.class, ANSWER_LIMIT);
            List<SessionKey> different = new ArrayList<>();
            for (Digest digest : page.digests()) {
                StoredReplica stored = group.store().get(digest.key());
                if (stored == null || stored.replica().digest() != digest.hash()) {
                    different.add(digest.key());
                }
                after = digest.key();
            }
            pulled += pull(member, different);
            more = page.more() && !page.digests().isEmpty();
        }
        return pulled;
    }

    /** Pulls the sessions with these keys, as far as {@code member} knows them. */
    int pull(Address member, List<SessionKey> keys) throws NoAnswerException {
        int pulled = 0;
        List<SessionKey> rest = new ArrayList<>(keys);
        while (!rest.isEmpty()) {
            List<SessionKey> asked = List.copyOf(rest.subList(0, Math.min(KEYS_PER_REQUEST, rest.size())));
            States answer = exchange.ask(
                    member, number -> new StateRequest(number, group.number(), asked), States.class, ANSWER_LIMIT);
            for (Update update : answer.states()) {
                group.merged(update);
                rest.remove(update.delta().key());
            }
            pulled += answer.states().size();
            if (!answer.truncated() || answer.states().isEmpty()) {
                rest.removeAll(asked);
            }
        }
        return pulled;
    }

    /**
     * Pulls the session with this id.
     *
     * @return whether {@code member} has it
     */
    boolean find(Address member, String id, Duration limit) throws NoAnswerException {
        States answer =
                exchange.ask(member, number -> new FindRequest(number, group.number(), id), States.class, limit);
        answer.states().forEach(group::merged);
        return !answer.states().isEmpty();
    }
}
