package io.understudy.benchmarks.exploration;

import io.understudy.codec.HostileReading;
import io.understudy.codec.Outsiders;

/** What the fuzzer calls with bytes in place of attributes. */
public final class FuzzedAttributes {

    /**
     * What the fuzzer itself may allocate. It allocates 4 MB whenever the reader looks for a class that does not exist,
     * for bytes with which the reader alone allocates 14 KB.
     */
    private static final long AGENT_BYTES = 16L << 20;

    private static final HostileReading READING = new HostileReading(AGENT_BYTES);

    private FuzzedAttributes() {}

    /**
     * The fuzzer calls it before its clock runs. It instruments what is loaded here, which takes many seconds on a busy
     * machine.
     */
    public static void fuzzerInitialize() {
        // Only these: to make values of the zoo would initialize classes that no bytes may.
        Outsiders.NAMES.forEach(name -> Outsiders.bytes(name).forEach(READING::attribute));
    }

    /** The name that the fuzzer looks for. */
    public static void fuzzerTestOneInput(byte[] bytes) {
        READING.attribute(bytes);
    }
}
