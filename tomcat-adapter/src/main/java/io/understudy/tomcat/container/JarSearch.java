package io.understudy.tomcat.container;

import io.understudy.Understudy;
import java.security.CodeSource;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.catalina.Context;
import org.apache.tomcat.util.scan.StandardJarScanFilter;
import org.jspecify.annotations.Nullable;

/** Where Tomcat looks for annotations, fragments and tag libraries each time that an application starts. */
public final class JarSearch {

    private JarSearch() {}

    /**
     * Leaves out Understudy's jars: there are none of those in them, and some thousand classes. Tomcat's own jars are
     * left out by {@code jarsToSkip} in {@code conf/catalina.properties}. A filter that is not Tomcat's stays as it is.
     */
    public static void leaveOutOwn(Context context) {
        if (context.getJarScanner().getJarScanFilter() instanceof StandardJarScanFilter filter) {
            Stream.of(JarSearch.class, Understudy.class)
                    .map(JarSearch::jar)
                    .filter(name -> name.endsWith(".jar"))
                    .distinct()
                    .forEach(name -> {
                        filter.setPluggabilitySkip(with(name, filter.getPluggabilitySkip()));
                        filter.setTldSkip(with(name, filter.getTldSkip()));
                    });
        }
    }

    /** The last part of where a class was loaded from. */
    private static String jar(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        String path = source == null || source.getLocation() == null
                ? ""
                : source.getLocation().getPath();
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /** Once, also if the application starts again. */
    private static String with(String name, @Nullable String skipped) {
        return Stream.concat(Stream.of((skipped == null ? "" : skipped).split(",", -1)), Stream.of(name))
                .map(String::strip)
                .filter(each -> !each.isEmpty())
                .distinct()
                .collect(Collectors.joining(","));
    }
}
