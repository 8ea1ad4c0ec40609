package io.understudy.codec;

import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Turns attribute values into bytes and back, for one application. Both happen in that application's request threads, or
 * in those of rehearsals, never on a thread of the network.
 *
 * <p>Threads: any.
 */
public interface AttributeCodec extends AutoCloseable {

    /**
     * The value as bytes, as many as an attribute may have.
     *
     * @throws NotReplicableException if it can't be encoded so that it can be restored, needs more bytes, or its
     *     classes throw anything but an error of the JVM itself; {@linkplain #explained explained}
     */
    byte[] encode(Object value) throws NotReplicableException;

    /**
     * The same of a value that may have been encoded before. What is thrown names the first class that is in the way.
     *
     * @param known bytes that are returned themselves if they are those of the value; {@code null} if there are none
     */
    byte[] encode(Object value, byte @Nullable [] known) throws NotReplicableException;

    /**
     * Bytes of a value.
     *
     * @param heapBytes that the value takes, by estimate; 0 if it was not weighed
     */
    @SuppressWarnings("ArrayRecordComponent") // Nobody compares them.
    record Weighed(byte[] bytes, int heapBytes) {

        /** The same, weighing as much for each byte as another one, if it was not weighed itself. */
        public Weighed like(@Nullable Weighed before) {
            if (heapBytes != 0 || before == null) {
                return this;
            }
            double weight = (double) before.heapBytes * bytes.length / Math.max(1, before.bytes.length);
            return new Weighed(bytes, (int) weight);
        }

        /** The same, with another array if that is equal. */
        public Weighed sharing(byte @Nullable [] other) {
            return other == null || other == bytes || !Arrays.equals(bytes, other)
                    ? this
                    : new Weighed(other, heapBytes);
        }
    }

    /** The same, with the weight of the value, which takes a little longer. What is thrown is not explained either. */
    Weighed weigh(Object value, byte @Nullable [] known) throws NotReplicableException;

    /**
     * As {@link #encode(Object)}, with another bound.
     *
     * @param maxBytes what is larger is given up there
     */
    byte[] encode(Object value, int maxBytes) throws NotReplicableException;

    /**
     * A refusal that names all classes that are in the way, not only the one that was met first. This costs several times
     * what encoding does, and reads what the value puts in its own place.
     */
    NotReplicableException explained(Object value, NotReplicableException refusal);

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
    record Copy(Object value, Weighed encoding) {}

    /**
     * The value that was encoded, to be compared later with what becomes of it.
     *
     * @throws NotDecodableException as {@link #decode} does
     */
    Copy copy(byte[] bytes) throws NotDecodableException;

    /**
     * Tries out what becomes of a value on this node: it is decoded, the copy is encoded, and what it was encoded to is decoded if it
     * is not the same. Nobody gets the copy.
     *
     * @return the fields that the bytes have and this node's classes have not, each behind its class: the value is used here without
     *     them, and a change of it is sent without them
     * @throws NotDecodableException as {@link #decode} does
     * @throws NotReplicableException if this node can't send on what it decoded
     */
    Set<String> rehearse(byte[] bytes) throws NotDecodableException, NotReplicableException;

    /** Whether this value can never change, so that a request that reads it needs no check afterwards. */
    boolean immutable(Object value);

    /** Lets go of the application's classes. */
    @Override
    void close();
}
