package io.understudy.ordering;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jgroups.Address;
import org.jgroups.Event;
import org.jgroups.View;
import org.jgroups.annotations.MBean;
import org.jgroups.annotations.ManagedAttribute;
import org.jgroups.conf.AttributeType;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.MFC;
import org.jgroups.util.Credit;

/**
 * JGroups' multicast flow control, on top of {@link SCOPE}. A message's credits go back when it was handled; those of a
 * message that has to wait for an earlier one go back at once, and what may wait is bounded by SCOPE. Else a few sessions
 * with a gap would use up the credits of all.
 *
 * <p>Threads: as MFC. Public as JGroups instantiates it.
 */
@MBean(description = "Multicast flow control whose credits do not wait with messages that SCOPE holds")
public final class SCOPE_FC extends MFC {

    private static final short ID = 4202;

    static {
        ClassConfigurator.addProtocol(ID, SCOPE_FC.class);
    }

    private final Map<Address, AtomicLong> unhandled = new ConcurrentHashMap<>();

    @ManagedAttribute(description = "Bytes that arrived and are not handled yet, nor held", type = AttributeType.BYTES)
    public long getUnhandledBytes() {
        return unhandled.values().stream().mapToLong(AtomicLong::get).sum();
    }

    /** How often this member asked for credits as it had waited for long. */
    public long creditRequestsSent() {
        return num_credit_requests_sent;
    }

    /** How often it was asked. */
    public long creditRequestsReceived() {
        return num_credit_requests_received;
    }

    /** How often it gave credits back. */
    public long creditsSent() {
        return num_credit_responses_sent;
    }

    /** So many bytes more of {@code origin} arrived than were handled; fewer if negative. */
    void arrived(Address origin, int bytes) {
        AtomicLong known = unhandled.get(origin); // Gone if it left meanwhile.
        if (known == null && bytes > 0) {
            known = unhandled.computeIfAbsent(origin, member -> new AtomicLong());
        }
        if (known != null) {
            known.addAndGet(bytes);
        }
    }

    /** The member left. */
    void forget(Address origin) {
        unhandled.remove(origin);
    }

    @Override
    public Object up(Event event) {
        if (event.getType() == Event.VIEW_CHANGE) {
            refresh(event.arg());
        }
        return super.up(event);
    }

    /**
     * A member that was in a view without this one begins to count anew, and gives credits back after most of them. This
     * member may not know of that view, and may have fewer left: its sending thread would wait. So it has all again. What it
     * counts as a receiver stays, as messages of this view may have come before it: it gives credits back rather early.
     */
    private void refresh(View view) {
        try {
            for (Address member : view.getMembers()) {
                if (Origins.apart(view, member, local_addr)) {
                    handleCredit(member, max_credits);
                }
            }
        } catch (Throwable e) {
            log.error("credits of a merged view; this member requests them when it lacks some", e);
        }
    }

    /**
     * A sender that waits for long asks for credits, in case they were lost. MFC gives it all it asks for, so a slow
     * receiver's memory would grow by all credits with each time. It gets those that are not bound by what waits here.
     */
    @Override
    protected void handleCreditRequest(Map<Address, Credit> map, Address sender, long requested) {
        AtomicLong waiting = unhandled.get(sender);
        long free = requested - Math.max(0, waiting == null ? 0 : waiting.get());
        if (free > 0) {
            super.handleCreditRequest(map, sender, free);
        }
    }

    /**
     * On a thread that may wait: the message with the credits waits for its place among those that {@code dest} has not
     * confirmed, and the calling thread may be the one that reads such confirmations.
     */
    @Override
    protected void sendCredit(Address dest, long credits) {
        if (!getTransport().getThreadPool().execute(() -> super.sendCredit(dest, credits))) {
            super.sendCredit(dest, credits); // All threads have work, or the channel is being closed.
        }
    }

    /** A message of {@code origin} with this many bytes is held: it is taken out of the flow control. */
    void held(Address origin, int bytes) {
        long credits = adjustCredit(received, origin, bytes);
        if (credits > 0) {
            sendCredit(origin, credits);
        }
    }
}
