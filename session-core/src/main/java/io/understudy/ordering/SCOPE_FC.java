package io.understudy.ordering;

import org.jgroups.Address;
import org.jgroups.annotations.MBean;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.MFC;

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

    /** A message of {@code origin} with this many bytes is held: it is taken out of the flow control. */
    void held(Address origin, int bytes) {
        long credits = adjustCredit(received, origin, bytes);
        if (credits > 0) {
            sendCredit(origin, credits);
        }
    }
}
