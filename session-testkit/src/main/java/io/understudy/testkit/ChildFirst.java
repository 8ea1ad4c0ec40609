package io.understudy.testkit;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;

/** Has its own copy of some packages, beside its parent's, as web applications have; others may be missing at all. */
public final class ChildFirst extends URLClassLoader {

    private final List<String> own;
    private final List<String> missing;

    /**
     * @param places jars and directories
     * @param own how names of classes begin that are taken from there alone
     * @param missing how names of classes begin that are not found, in whatever loader they are
     */
    public ChildFirst(List<URL> places, List<String> own, List<String> missing) {
        super(places.toArray(URL[]::new), ChildFirst.class.getClassLoader());
        this.own = own;
        this.missing = missing;
    }

    /** Where a class of this JVM comes from. */
    public static URL place(Class<?> type) {
        return type.getProtectionDomain().getCodeSource().getLocation();
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            if (missing.stream().anyMatch(name::startsWith)) {
                throw new ClassNotFoundException(name);
            }
            if (own.stream().noneMatch(name::startsWith)) {
                return super.loadClass(name, resolve);
            }
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : findClass(name);
        }
    }

    @Override
    public URL getResource(String name) {
        URL found = own.stream().anyMatch(name.replace('/', '.')::startsWith) ? findResource(name) : null;
        return found != null ? found : super.getResource(name);
    }
}
