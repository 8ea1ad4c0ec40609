package io.understudy.session.attributes;

import io.understudy.doctor.Examined;
import io.understudy.doctor.SessionDoctor;
import io.understudy.replica.SessionReplica;
import io.understudy.replica.StampedBytes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Shows a session to the doctor as a request left it: what it used is noted before it ends, and examined after, so that
 * no state of the session waits for the doctor.
 */
final class DoctorVisit implements Runnable {

    private final SessionDoctor doctor;
    private final AttributeOwner owner;
    private final AttributeSlots slots;
    private final LongSupplier entered;
    private final Map<String, Look> looks = new HashMap<>();

    /** @param entered how many requests have begun to use the session */
    DoctorVisit(SessionDoctor doctor, AttributeOwner owner, AttributeSlots slots, LongSupplier entered) {
        this.doctor = doctor;
        this.owner = owner;
        this.slots = slots;
        this.entered = entered;
        slots.forEach((name, slot) -> {
            if (!name.startsWith(SessionReplica.CONTAINER)) {
                looks.put(name, slot.look());
            }
        });
    }

    @Override
    public void run() {
        SessionReplica replica = owner.replica();
        if (replica == null || !replica.live()) {
            return;
        }
        long before = entered.getAsLong(); // Before the look who runs: who enters after it is noticed later.
        boolean alone = owner.running().isEmpty();
        BooleanSupplier undisturbed = () -> alone && owner.running().isEmpty() && entered.getAsLong() == before;
        long others = replica.valueBytes();
        List<Examined> attributes = new ArrayList<>();
        for (Map.Entry<String, Look> entry : looks.entrySet()) {
            String name = entry.getKey();
            Look look = entry.getValue();
            Object value = look.value();
            if (value != null && !owner.events().concern(name, value)) { // Which is encoded in a state of its own.
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
