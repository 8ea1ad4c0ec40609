package io.understudy.junit;

import io.understudy.codec.NotDecodableException;
import io.understudy.doctor.Likeness;
import java.util.Map;
import java.util.TreeMap;

/**
 * A request with its response, and the session after it.
 *
 * @param number of the request in its run, from 1 on
 * @param target path and query
 * @param node that answered
 * @param session the attributes by name; empty without a session
 */
record Exchange(
        int number,
        String method,
        String target,
        String node,
        Answer answer,
        Map<String, Likeness> session,
        Course course) {

    /** Describes the attributes: the application may change their objects at any time. */
    static Map<String, Likeness> likenesses(Map<String, Object> attributes) {
        Map<String, Likeness> likenesses = new TreeMap<>();
        attributes.forEach((name, value) -> likenesses.put(name, likeness(name, value)));
        return likenesses;
    }

    /** One that can't be read is described by the reason, which is the same on each node. */
    private static Likeness likeness(String name, Object value) {
        try {
            return Likeness.of(name, shown(value));
        } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
            return Likeness.of(name, "not readable: " + e);
        }
    }

    private static Object shown(Object value) {
        return value instanceof NotDecodableException failure ? "not decodable: " + failure.getMessage() : value;
    }

    boolean sameRequest(Exchange other) {
        return method.equals(other.method) && target.equals(other.target);
    }

    @Override
    public String toString() {
        return "request " + number + ", " + method + " " + target;
    }
}
