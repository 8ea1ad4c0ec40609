package io.understudy.junit.comparison;

import io.understudy.doctor.Likeness;
import java.util.Map;

/**
 * A request with its response, and the session after it.
 *
 * @param number of the request in its run, from 1 on
 * @param target path and query
 * @param node that answered
 * @param session the attributes by name; empty without a session
 */
public record Exchange(
        int number,
        String method,
        String target,
        String node,
        Answer answer,
        Map<String, Likeness> session,
        Course course) {

    boolean sameRequest(Exchange other) {
        return method.equals(other.method) && target.equals(other.target);
    }

    @Override
    public String toString() {
        return "request " + number + ", " + method + " " + target;
    }
}
