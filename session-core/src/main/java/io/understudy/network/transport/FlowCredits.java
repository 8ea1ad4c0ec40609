package io.understudy.network.transport;

/** The credits of the flow controls, in bytes, for each sender at each receiver. */
public final class FlowCredits {

    /** A message larger than this hangs its sender for ever, so a frame is kept far below it. */
    public static final int MAX_BYTES = 4_000_000;

    private FlowCredits() {}
}
