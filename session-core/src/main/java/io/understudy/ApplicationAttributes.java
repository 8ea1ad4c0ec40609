package io.understudy;

import io.understudy.codec.AttributeCodec;
import io.understudy.doctor.SessionDoctor;
import org.jspecify.annotations.Nullable;

/**
 * How the attributes of an application become bytes and objects again here, and what watches that.
 *
 * @param doctor if it is switched on
 */
record ApplicationAttributes(
        AttributeCodec codec,
        Quarantine quarantine,
        @Nullable SessionDoctor doctor) {}
