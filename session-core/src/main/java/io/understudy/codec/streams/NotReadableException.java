package io.understudy.codec.streams;

import java.io.IOException;

/** Bytes that were just written can't be read: what was written changed meanwhile, or can't be restored at all. */
public final class NotReadableException extends IOException {

    private static final long serialVersionUID = 1L;

    private final transient byte[] bytes;

    NotReadableException(byte[] bytes, Throwable cause) {
        super(cause.toString(), cause);
        this.bytes = bytes;
    }

    public byte[] bytes() {
        return bytes;
    }
}
