package io.understudy.codec.classes;

import java.io.InvalidClassException;
import org.jspecify.annotations.Nullable;

/** The filter refuses a class that a JDK stream names, or the stream is out of its bounds. */
public final class RefusedStreamClassException extends InvalidClassException implements Refusal {

    private static final long serialVersionUID = 1L;

    public RefusedStreamClassException(String objection, @Nullable Throwable cause) {
        super(objection);
        initCause(cause);
    }
}
