package io.understudy.session.activation;

import io.understudy.replica.SessionReplica;
import io.understudy.session.failures.Warnings;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/**
 * Notifies attributes of one session that they are encoded, and in use again. One that throws is named in the log, and
 * nothing else: nothing is thrown here.
 *
 * <p>Threads: any.
 */
public final class ActivationEvents {

    private static final Logger LOG = System.getLogger(ActivationEvents.class.getName());

    @FunctionalInterface
    private interface Event {
        void in(Activation activation, String name, Object value);
    }

    private final Warnings warnings;
    private final Object session;
    private volatile @Nullable Activation told;

    /** @param session for the log, as text */
    public ActivationEvents(Warnings warnings, Object session) {
        this.warnings = warnings;
        this.session = session;
    }

    /** Sets what notifies the attributes. The last call counts. */
    public void toldBy(Activation activation) {
        told = activation;
    }

    /** Whether this attribute wants to know. */
    public boolean concern(String name, Object value) {
        Activation activation = told;
        return activation != null
                && !name.startsWith(SessionReplica.CONTAINER)
                && activation.concerns(value.getClass());
    }

    public void willPassivate(String name, Object value) {
        tell(name, value, Activation::willPassivate);
    }

    public void didActivate(String name, Object value) {
        tell(name, value, Activation::didActivate);
    }

    private void tell(String name, Object value, Event event) {
        Activation activation = told;
        if (activation == null) {
            return;
        }
        try {
            event.in(activation, name, value);
        } catch (ThreadDeath e) {
            throw e;
        } catch (Throwable e) { // Whatever a listener throws, the request and its other attributes go on.
            if (warnings.firstTime("activation " + name + value.getClass().getName())) {
                LOG.log(
                        Level.WARNING,
                        session + ": attribute '" + name + "' ("
                                + value.getClass().getName()
                                + ") threw an exception when it was notified of its activation or passivation; it "
                                + "is used as it is. This is logged once for each attribute and class",
                        e);
            }
        }
    }
}
