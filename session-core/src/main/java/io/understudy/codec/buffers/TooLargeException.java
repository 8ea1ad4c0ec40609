package io.understudy.codec.buffers;

/**
 * A value needs more bytes than it may have. Unchecked, so that an object stream passes it on as it is; has no stack
 * trace: it is no error.
 */
public final class TooLargeException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    TooLargeException(int maxBytes) {
        super("more than " + maxBytes + " bytes", null, false, false);
    }
}
