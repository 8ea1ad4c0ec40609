package io.understudy.codec;

/** Bytes from the network that are no frame; says where, what was expected and what was found. */
public final class WireFormatException extends Exception {

    private static final long serialVersionUID = 1L;

    WireFormatException(int offset, String expected, String actual) {
        super("at byte " + offset + ": expected " + expected + ", found " + actual);
    }
}
