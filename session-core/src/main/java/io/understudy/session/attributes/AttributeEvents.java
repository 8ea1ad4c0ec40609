package io.understudy.session.attributes;

/** Notifies attributes of one session that they are encoded, and in use again. Nothing is thrown. Threads: any. */
public interface AttributeEvents {

    /** Whether this attribute wants to know. */
    boolean concern(String name, Object value);

    void willPassivate(String name, Object value);

    void didActivate(String name, Object value);
}
