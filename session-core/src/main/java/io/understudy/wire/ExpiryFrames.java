package io.understudy.wire;

import io.understudy.expiry.Claim;
import io.understudy.expiry.ExpiryMessage;
import io.understudy.expiry.ExpiryMessage.Ask;
import io.understudy.expiry.ExpiryMessage.Claims;
import io.understudy.expiry.ExpiryMessage.GivenUp;
import io.understudy.expiry.ExpiryMessage.Orphans;
import io.understudy.expiry.ExpiryMessage.Reason;
import io.understudy.expiry.ExpiryMessage.Veto;
import io.understudy.expiry.ExpiryMessage.Votes;
import io.understudy.replica.SessionKey;
import io.understudy.replica.Stamp;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Messages about the end of sessions to bytes and back. Grammar:
 *
 * <pre>
 * kind 30  end claims      application(8) varint-number n*(key(8) kind(1) last-use)
 * kind 31  end votes       application(8) varint-number n*(key(8) reason(1) last-use varint-idle)
 * kind 32  end given up    application(8) varint-number n*key(8)
 * kind 33  end ask         application(8) varint-number n*key(8)
 * kind 34  end orphans     application(8) varint-number n*(key(8) kind(1) last-use)
 * kind     = 0 expiry | 1 invalidation
 * reason   = 0 used | 1 in use | 2 ended | 3 claimed
 * last-use = 0 | 1 stamp
 * </pre>
 *
 * <p>Threads: any; stateless.
 */
final class ExpiryFrames {

    static final int CLAIMS = 30;
    static final int VOTES = 31;
    static final int GIVEN_UP = 32;
    static final int ASK = 33;
    static final int ORPHANS = 34;

    private static final List<Claim.Kind> KINDS = List.of(Claim.Kind.EXPIRY, Claim.Kind.INVALIDATION);
    private static final List<Reason> REASONS = List.of(Reason.USED, Reason.IN_USE, Reason.ENDED, Reason.CLAIMED);

    private ExpiryFrames() {}

    static void write(WireWriter out, Frame.Ends frame) {
        ExpiryMessage message = frame.message();
        if (message instanceof Claims claims) {
            claims(begin(out, CLAIMS, frame), claims.claims());
        } else if (message instanceof Votes votes) {
            begin(out, VOTES, frame).varint(votes.vetoes().size());
            for (Veto veto : votes.vetoes()) {
                lastUse(out.fixed64(veto.key().value()).u8(REASONS.indexOf(veto.reason())), veto.lastUse())
                        .varint(veto.idleMillis());
            }
        } else if (message instanceof GivenUp given) {
            keys(begin(out, GIVEN_UP, frame), given.keys());
        } else if (message instanceof Ask ask) {
            keys(begin(out, ASK, frame), ask.keys());
        } else if (message instanceof Orphans orphans) {
            claims(begin(out, ORPHANS, frame), orphans.claims());
        }
    }

    private static void claims(WireWriter out, List<Claim> claims) {
        out.varint(claims.size());
        for (Claim claim : claims) {
            lastUse(out.fixed64(claim.key().value()).u8(KINDS.indexOf(claim.kind())), claim.lastUse());
        }
    }

    private static WireWriter begin(WireWriter out, int kind, Frame.Ends frame) {
        return out.u8(kind).fixed64(frame.application()).varint(frame.message().number());
    }

    private static WireWriter lastUse(WireWriter out, @Nullable Stamp lastUse) {
        return lastUse == null ? out.u8(0) : out.u8(1).stamp(lastUse);
    }

    private static void keys(WireWriter out, List<SessionKey> keys) {
        out.varint(keys.size());
        keys.forEach(key -> out.fixed64(key.value()));
    }

    static Frame.Ends read(WireReader in, int kind) throws WireFormatException {
        long application = in.fixed64("application");
        long number = in.varint("number");
        return new Frame.Ends(
                application,
                switch (kind) {
                    case CLAIMS -> new Claims(number, claims(in));
                    case VOTES -> new Votes(number, vetoes(in));
                    case GIVEN_UP -> new GivenUp(number, keys(in));
                    case ASK -> new Ask(number, keys(in));
                    default -> new Orphans(number, claims(in));
                });
    }

    private static List<Claim> claims(WireReader in) throws WireFormatException {
        int count = in.count("claims", 10);
        List<Claim> claims = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            SessionKey key = new SessionKey(in.fixed64("key"));
            claims.add(new Claim(key, KINDS.get(in.number("kind of end", KINDS.size() - 1)), lastUse(in)));
        }
        return claims;
    }

    private static List<Veto> vetoes(WireReader in) throws WireFormatException {
        int count = in.count("vetoes", 11);
        List<Veto> vetoes = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            SessionKey key = new SessionKey(in.fixed64("key"));
            Reason reason = REASONS.get(in.number("reason", REASONS.size() - 1));
            vetoes.add(new Veto(key, reason, lastUse(in), in.millis("idle time")));
        }
        return vetoes;
    }

    private static @Nullable Stamp lastUse(WireReader in) throws WireFormatException {
        return in.bool("last use") ? in.stamp("last use") : null;
    }

    private static List<SessionKey> keys(WireReader in) throws WireFormatException {
        int count = in.count("keys", 8);
        List<SessionKey> keys = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            keys.add(new SessionKey(in.fixed64("key")));
        }
        return keys;
    }
}
