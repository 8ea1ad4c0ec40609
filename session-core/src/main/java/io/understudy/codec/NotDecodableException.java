package io.understudy.codec;

/** Bytes of an attribute that this node can't turn into a value. They are kept and passed on. */
public final class NotDecodableException extends Exception {

    private static final long serialVersionUID = 1L;

    NotDecodableException(String message, Throwable cause) {
        super(message, cause);
    }
}
