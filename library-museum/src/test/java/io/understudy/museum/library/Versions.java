package io.understudy.museum.library;

import java.io.File;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The versions of libraries on the class path, as Maven put them there. */
final class Versions {

    private static final String CLASS_PATH =
            System.getProperty("java.class.path").replace(File.separatorChar, '/');

    private Versions() {}

    /**
     * The version of an artifact.
     *
     * @param artifact {@code artifact}, or {@code group:artifact}
     */
    static String of(String artifact) {
        String name = artifact.substring(artifact.indexOf(':') + 1);
        String group = artifact.contains(":") ? artifact.substring(0, artifact.indexOf(':')) : "";
        String directory = "/" + (group.isEmpty() ? "" : group.replace('.', '/') + "/") + name;
        Matcher jar = Pattern.compile(
                        Pattern.quote(directory) + "/([^/]+)/" + Pattern.quote(name) + "-\\1(?:-[a-z]+)?\\.jar")
                .matcher(CLASS_PATH);
        if (!jar.find()) {
            throw new IllegalArgumentException("expected " + artifact + " on the class path: " + CLASS_PATH);
        }
        return jar.group(1);
    }
}
