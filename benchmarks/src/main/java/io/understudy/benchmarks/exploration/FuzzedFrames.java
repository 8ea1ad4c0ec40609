package io.understudy.benchmarks.exploration;

import io.understudy.codec.HostileReading;

/** What the fuzzer calls with bytes in place of frames. */
public final class FuzzedFrames {

    private static final HostileReading READING = new HostileReading();

    private FuzzedFrames() {}

    /**
     * The fuzzer calls it before its clock runs. It instruments what is loaded here, which takes many seconds on a busy
     * machine.
     */
    public static void fuzzerInitialize() {
        HostileReading.frames().forEach(READING::frame);
    }

    /** The name that the fuzzer looks for. */
    public static void fuzzerTestOneInput(byte[] bytes) {
        READING.frame(bytes);
    }
}
