package io.understudy.codec;

import org.jspecify.annotations.Nullable;

/**
 * Turns attribute values into bytes and back, for one application. Both happen in that application's request threads,
 * never on a thread of the network.
 *
 * <p>Threads: any.
 */
public interface AttributeCodec extends AutoCloseable {

    /**
     * The value as bytes, as many as an attribute may have.
     *
     * @throws NotReplicableException if it can't be encoded so that it can be restored, needs more bytes, or its
     *     classes throw anything but an error of the JVM itself
     */
    byte[] encode(Object value) throws NotReplicableException;

    /**
     * The same of a value that may have been encoded before.
     *
     * @param known bytes that are returned themselves if they are those of the value; {@code null} if there are none
     */
    byte[] encode(Object value, byte @Nullable [] known) throws NotReplicableException;

    /**
     * The same with another bound.
     *
     * @param maxBytes what is larger is given up there
     */
    byte[] encode(Object value, int maxBytes) throws NotReplicableException;

    /**
     * The value that was encoded.
     *
     * @throws NotDecodableException if its class is missing here, has changed too far, or is not allowed
     */
    Object decode(byte[] bytes) throws NotDecodableException;

    /**
     * A value that was decoded.
     *
     * @param encoding what it is encoded to while it does not change. These are the bytes it was decoded from, unless
     *     they are known to differ: those of a copy differ when the order of a hash table does
     */
    @SuppressWarnings("ArrayRecordComponent") // Nobody compares copies.
    record Copy(Object value, byte[] encoding) {}

    /**
     * The value that was encoded, to be compared later with what becomes of it.
     *
     * @throws NotDecodableException as {@link #decode} does
     */
    Copy copy(byte[] bytes) throws NotDecodableException;

    /** Whether this value can never change, so that a request that reads it needs no check afterwards. */
    boolean immutable(Object value);

    /** Lets go of the application's classes. */
    @Override
    void close();
}
