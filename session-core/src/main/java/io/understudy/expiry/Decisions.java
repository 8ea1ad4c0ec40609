package io.understudy.expiry;

import io.understudy.expiry.ExpiryMessage.GivenUp;
import io.understudy.expiry.ExpiryMessage.Veto;
import io.understudy.expiry.ExpiryOutput.Granted;
import io.understudy.expiry.ExpiryOutput.Lost;
import io.understudy.expiry.ExpiryOutput.Send;
import io.understudy.expiry.ExpiryOutput.Settled;
import io.understudy.replica.SessionKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** What one step of the rules wants done, in this order. */
final class Decisions<M> {

    private List<ExpiryOutput<M>> outputs = new ArrayList<>();

    void send(M to, ExpiryMessage message) {
        outputs.add(new Send<>(to, message));
    }

    void giveUp(Collection<M> members, long number, List<SessionKey> keys) {
        if (!keys.isEmpty()) {
            members.forEach(member -> send(member, new GivenUp(number, keys)));
        }
    }

    void granted(SessionKey key) {
        outputs.add(new Granted<>(key));
    }

    void lost(M by, Veto veto) {
        outputs.add(new Lost<>(veto.key(), by, veto));
    }

    void settled(SessionKey key) {
        outputs.add(new Settled<>(key));
    }

    /** All of the step; the next one begins with none. */
    List<ExpiryOutput<M>> take() {
        List<ExpiryOutput<M>> taken = outputs;
        outputs = new ArrayList<>();
        return taken;
    }
}
