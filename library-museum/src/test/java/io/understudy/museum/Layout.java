package io.understudy.museum;

import java.util.List;

/** Where the classes of an application are. */
public enum Layout {
    /** In a loader of their own, as in {@code WEB-INF/lib}: the container has this module's classes and the Servlet API. */
    WAR,
    /** All in one loader, as in an embedded container. */
    FLAT;

    private static final String ROWS = "io.understudy.museum.library.";

    private static final List<String> OF_CONTAINER = List.of(
            "io.understudy.",
            "com.esotericsoftware.",
            "org.objenesis.",
            "org.jgroups.",
            "com.github.benmanes.caffeine.",
            "org.HdrHistogram.",
            "org.jspecify.",
            "jakarta.servlet.");

    /** Whether all nodes of the test share the class. */
    boolean shares(String className) {
        return switch (this) {
            case WAR -> !className.startsWith(ROWS) && OF_CONTAINER.stream().anyMatch(className::startsWith);
            case FLAT -> className.equals(Node.class.getName());
        };
    }
}
