package io.understudy.session.adapter;

import java.util.Collection;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What {@link BlockingRequest} needs of a request and its response. Threads: that of the request. */
public interface ContainerRequest {

    /** Inside the application, decoded, without parameters; it begins with a slash. */
    String path();

    /** The values of all cookies with such a name, in the order in which the client sent them. */
    Collection<String> cookies(Predicate<String> name);

    /** The value of a request attribute; {@code null} if there is none. */
    @Nullable
    Object attribute(String name);

    /** Sets a request attribute. */
    void attribute(String name, Object value);

    /** Sets a header of the response, of which nothing has left. */
    void header(String name, String value);
}
