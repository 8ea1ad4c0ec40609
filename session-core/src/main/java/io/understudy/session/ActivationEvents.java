package io.understudy.session;

import io.understudy.session.attributes.ApplicationAttributes;
import io.understudy.session.attributes.AttributeEvents;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/** Tells attributes of one session of their {@link Activation}. One that throws is named, and nothing else. Threads: any. */
final class ActivationEvents implements AttributeEvents {

    private static final Logger LOG = System.getLogger(ActivationEvents.class.getName());

    @FunctionalInterface
    private interface Event {
        void in(Activation activation, String name, Object value);
    }

    private final LiveSession session;
    private volatile @Nullable Activation told;

    ActivationEvents(LiveSession session) {
        this.session = session;
    }

    void toldBy(Activation activation) {
        told = activation;
    }

    @Override
    public boolean concern(String name, Object value) {
        Activation activation = told;
        return activation != null
                && !name.startsWith(ApplicationAttributes.CONTAINER)
                && activation.concerns(value.getClass());
    }

    @Override
    public void willPassivate(String name, Object value) {
        tell(name, value, Activation::willPassivate);
    }

    @Override
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
            if (session.warnings()
                    .firstTime("activation " + name + value.getClass().getName())) {
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
