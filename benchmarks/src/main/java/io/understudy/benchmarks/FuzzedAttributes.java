package io.understudy.benchmarks;

import io.understudy.codec.HostileReading;

/** What the fuzzer calls with bytes in place of attributes. */
public final class FuzzedAttributes {

    /**
     * Of the fuzzer itself, each time a class is looked for that is not there: 4 MB, for bytes that make the reader alone
     * allocate 14 KB.
     */
    private static final long AGENT_BYTES = 16L << 20;

    private static final HostileReading READING = new HostileReading(AGENT_BYTES);

    private FuzzedAttributes() {}

    /** The name that the fuzzer looks for. */
    public static void fuzzerTestOneInput(byte[] bytes) {
        READING.attribute(bytes);
    }
}
