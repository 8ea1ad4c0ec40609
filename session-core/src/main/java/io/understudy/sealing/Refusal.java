package io.understudy.sealing;

/** Why a frame was not read. */
public enum Refusal {
    /** Shorter than any frame, longer than any, or none at all. */
    LENGTH,
    /** It is not sealed: the sender has no secret, or is no member at all. */
    UNSEALED,
    /** It is of a version of the seal that is not read here. */
    VERSION,
    /** It is sealed with another secret, or for another cluster. */
    SECRET,
    /** The frame was changed on its way, or made by somebody who knows no secret. */
    ALTERED,
    /** A member sealed it for another protocol: somebody captured the frame and sent it to this port. */
    MISDIRECTED,
    /** It came before. */
    REPLAYED,
    /** It is from before its sender was known here, or so old that nobody knows whether it came before. */
    LATE,
    /** Its sender has not shown yet that it is alive now: it was asked to. */
    UNPROVEN
}
