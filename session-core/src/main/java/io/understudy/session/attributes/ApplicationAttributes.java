package io.understudy.session.attributes;

import io.understudy.codec.AttributeCodec;
import io.understudy.doctor.SessionDoctor;
import io.understudy.rehearsal.RehearsedApplication;
import io.understudy.session.failures.KeptAttributes;
import io.understudy.session.failures.Quarantine;
import org.jspecify.annotations.Nullable;

/**
 * How the attributes of an application become bytes and objects again here, and what watches that.
 *
 * @param kept the attributes that only this node has
 * @param doctor if it is switched on
 * @param rehearsed if rehearsals are switched on
 */
public record ApplicationAttributes(
        AttributeCodec codec,
        Quarantine quarantine,
        KeptAttributes kept,
        @Nullable SessionDoctor doctor,
        @Nullable RehearsedApplication rehearsed) {

    /** Lets go of the application's classes. */
    public void close() {
        if (rehearsed != null) {
            rehearsed.leave(); // First: what a closed codec fails at is no failure.
        }
        codec.close();
    }
}
