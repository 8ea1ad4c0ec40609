package io.understudy.codec;

import java.util.stream.Collectors;

/** Bytes that this node can't turn into a value; the message names the class or field that is in the way. They are kept and passed on. */
public final class NotDecodableException extends Exception {

    private static final long serialVersionUID = 1L;

    /** Longest message, in characters. */
    private static final int MAX_MESSAGE = 500;

    private NotDecodableException(String message, Throwable cause) {
        super(message, cause);
    }

    static NotDecodableException of(Throwable cause) {
        String reason = cause.toString().lines().map(String::strip).collect(Collectors.joining("; "));
        return new NotDecodableException(
                reason.length() > MAX_MESSAGE ? reason.substring(0, MAX_MESSAGE) + "..." : reason, cause);
    }
}
