package io.understudy.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.understudy.codec.classes.ClassList;
import java.net.URLClassLoader;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A request of Vaadin goes on with what Vaadin keeps for its thread, although streams of Vaadin clear that. */
@Tag("rules")
class VaadinInstancesTest {

    private static final String SESSION = "com.vaadin.flow.server.VaadinSession";
    private static final String HOLDER = "com.vaadin.flow.internal.CurrentInstance";

    private static final String KEEPING = "package com.vaadin.flow.internal; import java.util.*;"
            + " public class CurrentInstance {"
            + " static final ThreadLocal<Map<String, String>> KEPT = ThreadLocal.withInitial(HashMap::new);"
            + " public static Map<String, String> getInstances() { return new HashMap<>(KEPT.get()); }"
            + " public static void restoreInstances(Map<String, String> old) { KEPT.get().putAll(old); }"
            + " public static void clearAll() { KEPT.remove(); } }";

    /** An object that does at the end of both methods what Vaadin's does. */
    private static Map<String, String> sources(String name, String atTheEnd) {
        int dot = name.lastIndexOf('.');
        String type = "package " + name.substring(0, dot) + "; import java.io.*; public class "
                + name.substring(dot + 1) + " implements Serializable {"
                + " private static final long serialVersionUID = 1; public int clicks = 3;"
                + " private void writeObject(ObjectOutputStream out) throws IOException {"
                + " out.defaultWriteObject(); " + atTheEnd + " }"
                + " private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {"
                + " in.defaultReadObject(); " + atTheEnd + " } }";
        return Map.of(name, type);
    }

    private static URLClassLoader vaadin(String name) {
        Map<String, String> sources = new HashMap<>(sources(name, HOLDER + ".clearAll();"));
        sources.put(HOLDER, KEEPING);
        return Compiled.loader(sources);
    }

    private static GuardedCodec codec(ClassLoader loader) {
        return new GuardedCodec(() -> loader, Set.of(), "", ClassList.any());
    }

    private static Object made(ClassLoader loader, String name) throws Exception {
        return loader.loadClass(name).getConstructor().newInstance();
    }

    private static Object kept(ClassLoader loader) throws Exception {
        return loader.loadClass(HOLDER).getMethod("getInstances").invoke(null);
    }

    private static void keep(ClassLoader loader) throws Exception {
        loader.loadClass(HOLDER)
                .getMethod("restoreInstances", Map.class)
                .invoke(null, Map.of("request", "click", "response", "page"));
    }

    @ParameterizedTest
    @ValueSource(strings = {SESSION, "com.vaadin.flow.component.UI"})
    void currentRequestOutlastsStreams(String name) throws Exception {
        try (URLClassLoader loader = vaadin(name)) {
            GuardedCodec codec = codec(loader);
            Object value = made(loader, name);
            keep(loader);
            byte[] bytes = codec.encode(value);
            assertEquals(Map.of("request", "click", "response", "page"), kept(loader), "after it was written");
            Object copy = codec.decode(bytes);
            assertEquals(Map.of("request", "click", "response", "page"), kept(loader), "after it was read");
            assertEquals(3, copy.getClass().getField("clicks").get(copy));
        }
    }

    @Test
    void currentRequestOutlastsRefusedBytes() throws Exception {
        try (URLClassLoader loader = Compiled.loader(refusing())) {
            Object value = made(loader, SESSION);
            byte[] bytes = codec(loader).encode(value);
            keep(loader);
            assertThrows(NotDecodableException.class, () -> codec(loader).decode(bytes));
            assertEquals(Map.of("request", "click", "response", "page"), kept(loader));
        }
    }

    private static Map<String, String> refusing() {
        return Map.of(
                HOLDER,
                KEEPING,
                SESSION,
                "package com.vaadin.flow.server; public class VaadinSession implements java.io.Serializable {"
                        + " private void readObject(java.io.ObjectInputStream in) throws java.io.IOException {"
                        + " " + HOLDER + ".clearAll(); throw new java.io.IOException(\"old\"); } }");
    }

    @Test
    void versionsThatKeepNothingNeedNothing() throws Exception {
        try (URLClassLoader loader = Compiled.loader(sources(SESSION, ""))) {
            Object copy = codec(loader).decode(codec(loader).encode(made(loader, SESSION)));
            assertEquals(3, copy.getClass().getField("clicks").get(copy));
        }
    }
}
