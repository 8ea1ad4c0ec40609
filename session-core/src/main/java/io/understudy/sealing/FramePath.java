package io.understudy.sealing;

/** How a frame came. Numbers are checked by way, as one may be far behind another. */
public enum FramePath {
    STREAM,
    DATAGRAM,
    /** The connections of failure detection. */
    SIDE
}
