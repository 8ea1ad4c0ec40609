package io.understudy.museum;

import java.util.List;
import java.util.Map;

/**
 * A node with an application of its own: its classes are not those of another node. All nodes and the tests share this
 * interface, so it has types of the JDK only.
 *
 * <p>Threads: one.
 */
public interface Node extends AutoCloseable {

    /** The names of all samples, with their rows': {@code Guava/ImmutableList}. */
    List<String> samples();

    /** The samples that the node keeps to itself, with a text that the refusal of each has. */
    Map<String, String> refusals();

    /** Whether it is a documented exception: JDK serialization restores it, the node keeps it to itself. */
    boolean exception(String sample);

    /** Whether JDK serialization, without a filter, restores the sample in the same application. */
    boolean restoredByJdk(String sample) throws Exception;

    /**
     * Makes an object and encodes it.
     *
     * @throws Exception if the node can't replicate it; the message names the class
     */
    byte[] encode(String sample) throws Exception;

    /**
     * Decodes an object, compares it with one that is made here, and encodes it again.
     *
     * @throws AssertionError if it is not equal; the message has both
     * @throws Exception if the node can't decode it; the message names the class
     */
    byte[] pass(String sample, byte[] bytes) throws Exception;

    @Override
    void close();
}
