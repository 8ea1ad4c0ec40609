package io.understudy.session.attributes;

/** What requests did with an attribute: what a commit looks at. */
enum Use {
    /** Not used since the session's last request ended. */
    NONE,
    /** A mutable value was read: it may have been changed in place. */
    READ,
    /** Set or removed, and not yet committed. */
    WRITTEN
}
