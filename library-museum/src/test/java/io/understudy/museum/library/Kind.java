package io.understudy.museum.library;

/** What an object is for an application. */
enum Kind {
    /** Data. */
    VALUE,
    /** Who the user is, and what a login needs on its way. */
    LOGIN,
    /** A bean of a scope. */
    BEAN,
    /** A page, its state, or a conversation. */
    VIEW,
    /** What runs code or holds a resource. Only this may be an exception. */
    CODE
}
