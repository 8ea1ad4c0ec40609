package io.understudy.codec;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The JDK's classes that are values: reading one runs nothing but what makes it. What opens a connection, starts a process or
 * asks the network when it is compared ({@code java.net.URL}) is not among them.
 */
public final class JdkValues {

    private static final Set<String> PACKAGES = names(
            "java.math java.text java.time java.time.chrono java.time.format java.time.temporal java.time.zone java.util",
            "java.util.concurrent java.util.concurrent.atomic java.util.concurrent.locks java.util.regex");

    private static final Set<String> NAMES = names(
            "java.lang.Boolean java.lang.Byte java.lang.Character java.lang.Class java.lang.Double java.lang.Enum",
            "java.lang.Float java.lang.Integer java.lang.Long java.lang.Number java.lang.Object java.lang.Record",
            "java.lang.Short java.lang.StackTraceElement java.lang.String java.lang.String$CaseInsensitiveComparator",
            "java.lang.StringBuffer java.lang.StringBuilder java.lang.Void java.lang.invoke.SerializedLambda",
            "java.lang.reflect.Proxy",
            "java.io.File java.net.Inet4Address java.net.Inet6Address java.net.InetAddress java.net.InetSocketAddress",
            "java.net.SocketAddress java.net.URI java.sql.Date java.sql.Time java.sql.Timestamp javax.crypto.spec.SecretKeySpec",
            "javax.security.auth.Subject javax.security.auth.Subject$SecureSet javax.security.auth.x500.X500Principal",
            "sun.util.calendar.ZoneInfo");

    private JdkValues() {}

    private static Set<String> names(String... lines) {
        return Stream.of(lines).flatMap(line -> Arrays.stream(line.split(" "))).collect(Collectors.toUnmodifiableSet());
    }

    /** Whether it is one of the JDK's classes, a value or not. */
    public static boolean ofJdk(Class<?> type) {
        ClassLoader loader = type.getClassLoader();
        return loader == null || loader == ClassLoader.getPlatformClassLoader();
    }

    /** @param type of the JDK */
    static boolean contains(Class<?> type) {
        return type.isInterface()
                || NAMES.contains(type.getName())
                || PACKAGES.contains(type.getPackageName())
                || (Throwable.class.isAssignableFrom(type) && type.getName().startsWith("java."));
    }
}
