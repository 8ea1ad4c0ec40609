package io.understudy.wire;

import io.understudy.lock.LockMessage;
import io.understudy.lock.LockMessage.Ask;
import io.understudy.lock.LockMessage.Claim;
import io.understudy.lock.LockMessage.Grant;
import io.understudy.lock.LockMessage.Release;
import io.understudy.lock.LockMessage.Report;
import io.understudy.lock.LockMessage.Request;
import io.understudy.lock.LockView.Tag;
import io.understudy.replica.SessionKey;
import java.util.ArrayList;
import java.util.List;

/**
 * Messages about session locks to bytes and back. Grammar:
 *
 * <pre>
 * kind 15  lock request   view key(8) request
 * kind 16  lock grant     view key(8) request fence
 * kind 17  lock release   view key(8) request fence
 * kind 18  lock report    view parts(1) n*(key(8) request fence)
 * kind 19  lock ask       view
 * view     = varint-number creator(8)
 * request  = varint
 * fence    = varint
 * parts    = 1 first | 2 last
 * </pre>
 *
 * <p>Threads: any; stateless.
 */
final class LockFrames {

    static final int LOCK_REQUEST = 15;
    static final int LOCK_GRANT = 16;
    static final int LOCK_RELEASE = 17;
    static final int LOCK_REPORT = 18;
    static final int LOCK_ASK = 19;

    private static final int FIRST = 1;
    private static final int LAST = 2;

    private LockFrames() {}

    static void write(WireWriter out, LockMessage message) {
        if (message instanceof Request request) {
            begin(out, LOCK_REQUEST, message).fixed64(request.key().value()).varint(request.request());
        } else if (message instanceof Grant grant) {
            claim(begin(out, LOCK_GRANT, message), new Claim(grant.key(), grant.request(), grant.fence()));
        } else if (message instanceof Release release) {
            claim(begin(out, LOCK_RELEASE, message), new Claim(release.key(), release.request(), release.fence()));
        } else if (message instanceof Report report) {
            begin(out, LOCK_REPORT, message).u8((report.first() ? FIRST : 0) | (report.last() ? LAST : 0));
            out.varint(report.claims().size());
            report.claims().forEach(claim -> claim(out, claim));
        } else {
            begin(out, LOCK_ASK, message);
        }
    }

    private static WireWriter begin(WireWriter out, int kind, LockMessage message) {
        Tag view = message.view();
        return out.u8(kind).varint(view.number()).fixed64(view.creator());
    }

    private static void claim(WireWriter out, Claim claim) {
        out.fixed64(claim.key().value()).varint(claim.request()).varint(claim.fence());
    }

    static LockMessage read(WireReader in, int kind) throws WireFormatException {
        Tag view = new Tag(in.varint("view"), in.fixed64("creator of the view"));
        switch (kind) {
            case LOCK_REQUEST -> {
                return new Request(view, new SessionKey(in.fixed64("key")), in.varint("request"));
            }
            case LOCK_GRANT -> {
                Claim claim = claim(in);
                return new Grant(view, claim.key(), claim.request(), claim.fence());
            }
            case LOCK_RELEASE -> {
                Claim claim = claim(in);
                return new Release(view, claim.key(), claim.request(), claim.fence());
            }
            case LOCK_REPORT -> {
                return report(in, view);
            }
            default -> {
                return new Ask(view);
            }
        }
    }

    private static Report report(WireReader in, Tag view) throws WireFormatException {
        int parts = in.number("parts", FIRST | LAST);
        int count = in.count("claims", 10);
        List<Claim> claims = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            claims.add(claim(in));
        }
        return new Report(view, (parts & FIRST) != 0, (parts & LAST) != 0, claims);
    }

    private static Claim claim(WireReader in) throws WireFormatException {
        return new Claim(new SessionKey(in.fixed64("key")), in.varint("request"), in.varint("fence"));
    }
}
