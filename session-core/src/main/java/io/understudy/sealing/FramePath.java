package io.understudy.sealing;

/**
 * How a frame came. Frames that go to several members may come by two ways, as one of them may be lost: the second is no replay.
 */
public enum FramePath {
    STREAM,
    DATAGRAM,
    /** The connections of failure detection. */
    SIDE
}
