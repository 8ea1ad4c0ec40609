package io.understudy;

import io.understudy.config.ConfigException;
import java.security.CodeSource;
import org.jspecify.annotations.Nullable;

/** The release of a jar of Understudy, from its manifest; without a manifest it is not known. */
public final class UnderstudyVersion {

    private UnderstudyVersion() {}

    /**
     * Checks that an adapter and this core are of one release.
     *
     * @param adapter a class of the adapter
     * @throws ConfigException if it is known that they are not
     */
    public static void require(Class<?> adapter) {
        String expected = adapter.getPackage().getImplementationVersion();
        String actual = UnderstudyVersion.class.getPackage().getImplementationVersion();
        if (expected != null && actual != null && !expected.equals(actual)) {
            throw new ConfigException("two releases of Understudy: " + expected + " in " + place(adapter)
                    + ", but its core is " + actual + " in " + place(UnderstudyVersion.class)
                    + "; use the jars of one release, and remove the others");
        }
    }

    private static @Nullable Object place(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        return source == null ? type.getName() : source.getLocation();
    }
}
