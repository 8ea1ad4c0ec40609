package io.understudy.museum.library;

import java.util.List;
import java.util.concurrent.Callable;

/**
 * An object as applications keep it in a session.
 *
 * @param maker makes an equal one at each call
 * @param view what of it has to be equal after it was restored
 * @param refused text that a node's refusal has; empty if the object has to come back
 * @param why the node refuses it, for the design page
 * @param lost whether JDK serialization does not restore it either
 */
record Sample(String name, Kind kind, Callable<?> maker, View<Object> view, String refused, String why, boolean lost) {

    /** What of an object an application sees. */
    interface View<T> {
        Object of(T object) throws Exception;
    }

    private static Sample of(Kind kind, String name, Callable<?> maker) {
        return new Sample(name, kind, maker, whole -> List.of(whole.getClass(), whole), "", "", false);
    }

    @SuppressWarnings("unchecked") // The maker's objects are T.
    private static <T> Sample of(Kind kind, String name, Callable<?> maker, View<T> view) {
        return new Sample(name, kind, maker, object -> view.of((T) object), "", "", false);
    }

    /** Data with an {@code equals} that compares all of it. */
    static Sample value(String name, Callable<?> maker) {
        return of(Kind.VALUE, name, maker);
    }

    /** Data of which a view is compared. */
    static <T> Sample value(String name, Callable<?> maker, View<T> view) {
        return of(Kind.VALUE, name, maker, view);
    }

    /** A login, or what one needs on its way, with an {@code equals} that compares all of it. */
    static Sample login(String name, Callable<?> maker) {
        return of(Kind.LOGIN, name, maker);
    }

    /** A login, or what one needs on its way, of which a view is compared. */
    static <T> Sample login(String name, Callable<?> maker, View<T> view) {
        return of(Kind.LOGIN, name, maker, view);
    }

    /** A bean of a scope. */
    static <T> Sample bean(String name, Callable<?> maker, View<T> view) {
        return of(Kind.BEAN, name, maker, view);
    }

    /** A page, its state, or a conversation. */
    static <T> Sample page(String name, Callable<?> maker, View<T> view) {
        return of(Kind.VIEW, name, maker, view);
    }

    /** What runs code, or holds a resource. */
    static Sample code(String name, Callable<?> maker) {
        return of(Kind.CODE, name, maker);
    }

    /**
     * A documented exception: the node keeps the object to itself.
     *
     * @param refusal text that the refusal has
     */
    Sample refused(String refusal, String reason) {
        return new Sample(name, kind, maker, view, refusal, reason, false);
    }

    /**
     * The node keeps the object to itself, and JDK serialization does not restore it either.
     *
     * @param refusal text that the refusal has
     */
    Sample lostByJdk(String refusal, String reason) {
        return new Sample(name, kind, maker, view, refusal, reason, true);
    }

    /** Whether the node keeps it to itself. */
    boolean stays() {
        return !refused.isEmpty();
    }

    /** Whether JDK serialization restores what the node keeps to itself. */
    boolean isException() {
        return stays() && !lost;
    }

    /**
     * Compares a copy with an object that is made here. To look at an object may change it, as a click changes a page.
     *
     * @param looks at the copy before this one, on any node
     * @throws AssertionError if the two differ; the message has both
     * @throws Exception if the copy can't be looked at
     */
    void judge(Object copy, int looks) throws Exception {
        Object made = maker.call();
        for (int i = 0; i < looks; i++) {
            view.of(made);
        }
        Object expected = view.of(made);
        Object found = view.of(copy);
        if (expected == null || !expected.equals(found)) {
            throw new AssertionError("expected " + expected + ", found " + found);
        }
    }
}
