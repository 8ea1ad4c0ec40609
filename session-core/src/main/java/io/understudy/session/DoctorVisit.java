package io.understudy.session;

import io.understudy.doctor.Examined;
import io.understudy.doctor.SessionDoctor;
import io.understudy.replica.SessionReplica;
import io.understudy.replica.StampedBytes;
import io.understudy.session.attributes.ApplicationAttributes;
import io.understudy.session.attributes.AttributeSlot;
import io.understudy.session.attributes.AttributeSlots;
import io.understudy.session.attributes.Look;
import io.understudy.session.attributes.Use;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Shows a session to the doctor as a request left it: what it used is noted before it ends, and examined after, so that
 * no state of the session waits for the doctor.
 */
final class DoctorVisit {

    private final SessionDoctor doctor;
    private final LiveSession session;
    private final AttributeSlots slots;
    private final Map<String, Look> looks = new HashMap<>();

    DoctorVisit(SessionDoctor doctor, LiveSession session, AttributeSlots slots) {
        this.doctor = doctor;
        this.session = session;
        this.slots = slots;
        slots.forEach((name, slot) -> {
            if (!name.startsWith(ApplicationAttributes.CONTAINER)) {
                looks.put(name, slot.look());
            }
        });
    }

    void run() {
        SessionReplica replica = session.replica();
        if (replica == null || !replica.live()) {
            return;
        }
        long entered = session.entered(); // Before the look who runs: who enters after it is noticed later.
        boolean alone = !session.inUse();
        BooleanSupplier undisturbed = () -> alone && !session.inUse() && session.entered() == entered;
        long others = replica.valueBytes();
        List<Examined> attributes = new ArrayList<>();
        for (Map.Entry<String, Look> entry : looks.entrySet()) {
            String name = entry.getKey();
            Look look = entry.getValue();
            Object value = look.value();
            if (value != null
                    && !session.activations().concern(name, value)) { // Which is encoded in a state of its own.
                byte[] current = bytes(replica.attribute(name));
                others -= current == null ? 0 : current.length;
                attributes.add(new Examined(
                        name,
                        value,
                        use(look.use()),
                        () -> bytes(look.baseline()),
                        () -> undisturbed.getAsBoolean() && settled(name, look)));
            }
        }
        doctor.examine(attributes, others);
    }

    private static Examined.Use use(Use use) {
        return switch (use) {
            case NONE -> Examined.Use.NONE;
            case READ -> Examined.Use.USED;
            case WRITTEN -> Examined.Use.UNCOMMITTED;
        };
    }

    private static byte @Nullable [] bytes(@Nullable StampedBytes stamped) {
        return stamped == null ? null : stamped.bytes();
    }

    /** No request has come and gone with a commit of it. */
    @SuppressWarnings("ReferenceEquality")
    private boolean settled(String name, Look before) {
        AttributeSlot slot = slots.get(name);
        Look now = slot == null ? null : slot.look();
        return now != null && now.value() == before.value() && now.baseline() == before.baseline();
    }
}
