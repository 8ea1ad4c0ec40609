package io.understudy.network.detection;

import java.util.Collection;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jgroups.Address;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.VERIFY_SUSPECT2;
import org.jspecify.annotations.Nullable;

/**
 * VERIFY_SUSPECT2 that looks when a suspect's time is over, and queries a suspect several times until then.
 *
 * <p>VERIFY_SUSPECT2 looks once in a timeout, whenever the time began, so it takes one to two timeouts. It queries a
 * suspect once. A query, or an answer, that is lost with a connection then costs a living member its place in the view.
 *
 * <p>On the wire it is VERIFY_SUSPECT2. Threads: as VERIFY_SUSPECT2. Public as JGroups looks into it.
 */
public final class RETRY_VERIFY_SUSPECT2 extends VERIFY_SUSPECT2 {

    /** Milliseconds: times are told by the clock, which may be a little behind the timer. */
    private static final long AFTERWARDS = 5;

    /** Within the time that a suspect has. */
    private static final int QUESTIONS = 5;

    public RETRY_VERIFY_SUSPECT2() {
        setId(ClassConfigurator.getProtocolId(VERIFY_SUSPECT2.class));
    }

    @Override
    protected synchronized void addSuspects(@Nullable Collection<Address> suspects) {
        super.addSuspects(suspects);
        Future<?> unused = timer.schedule(this, getTimeout() + AFTERWARDS, TimeUnit.MILLISECONDS);
    }

    @Override
    protected void verifySuspect(@Nullable Collection<Address> suspects) {
        super.verifySuspect(suspects);
        for (int i = 1; suspects != null && i < QUESTIONS; i++) {
            Future<?> unused =
                    timer.schedule(() -> askAgain(suspects), i * getTimeout() / QUESTIONS, TimeUnit.MILLISECONDS);
        }
    }

    /** Those that have not answered; their time stays as it is. */
    private void askAgain(Collection<Address> asked) {
        super.verifySuspect(asked.stream().filter(this::unanswered).toList());
    }

    private synchronized boolean unanswered(Address member) {
        return suspects.stream().anyMatch(suspect -> suspect.suspect().equals(member));
    }
}
