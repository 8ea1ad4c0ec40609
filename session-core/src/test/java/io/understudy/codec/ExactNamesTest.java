package io.understudy.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.codec.classes.ClassList;
import java.io.Serializable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What only an explicit setting can allow: the exact name does, no pattern does, in both formats. */
@Tag("rules")
class ExactNamesTest {

    private static final String GADGET = "org.apache.commons.collections.functors.InvokerTransformer";
    private static final String GADGET_INTERFACE = "org.springframework.beans.factory.ObjectFactory";
    private static final String CONTAINER_INTERFACE = "org.apache.catalina.Manager";
    private static final String MAKER = "org.eclipse.jetty.util.Maker";

    private static final String OWN_FORM =
            "private void readObject(java.io.ObjectInputStream in) throws Exception { in.defaultReadObject(); }";

    private static final String POOL = "public java.sql.Connection getConnection() { return null; }"
            + " public java.sql.Connection getConnection(String user, String password) { return null; }"
            + " public java.io.PrintWriter getLogWriter() { return null; }"
            + " public void setLogWriter(java.io.PrintWriter out) {}"
            + " public void setLoginTimeout(int seconds) {} public int getLoginTimeout() { return 0; }"
            + " public java.util.logging.Logger getParentLogger() { return null; }"
            + " public <T> T unwrap(Class<T> type) { return null; }"
            + " public boolean isWrapperFor(Class<?> type) { return false; }";

    record Answer(String name) implements InvocationHandler, Serializable {
        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) {
            return name;
        }
    }

    private final Compiled shared = Compiled.loader(
            Map.ofEntries(
                    source("shop.Pool", "class", " implements javax.sql.DataSource, java.io.Serializable", POOL),
                    source(
                            "shop.OwnPool",
                            "class",
                            " implements javax.sql.DataSource, java.io.Serializable",
                            POOL + OWN_FORM),
                    source("shop.PoolAbove", "class", " extends Pool", ""),
                    source(GADGET, "class", " implements java.io.Serializable", "public String method = \"exec\";"),
                    source("shop.Transformer", "class", " extends " + GADGET, ""),
                    source("shop.OwnTransformer", "class", " extends " + GADGET, OWN_FORM),
                    source(GADGET_INTERFACE, "interface", "", "Object getObject();"),
                    source(CONTAINER_INTERFACE, "interface", "", "Object getObject();"),
                    source(
                            MAKER,
                            "class",
                            "",
                            "public static java.util.function.Supplier<String> make() {"
                                    + " return (java.util.function.Supplier<String> & java.io.Serializable) () -> \"made\"; }")));

    private final URLClassLoader application = new URLClassLoader(new URL[0], shared);

    private static Map.Entry<String, String> source(String name, String kind, String above, String members) {
        int dot = name.lastIndexOf('.');
        return Map.entry(
                name,
                "package " + name.substring(0, dot) + "; public " + kind + " " + name.substring(dot + 1) + above + " {"
                        + members + "}");
    }

    @AfterEach
    void close() throws Exception {
        application.close();
        shared.close();
    }

    private Object of(String name) throws Exception {
        return shared.loadClass(name).getConstructor().newInstance();
    }

    private GuardedCodec codec(String attributeFilter) {
        return new GuardedCodec(() -> application, Set.of(), attributeFilter, ClassList.any());
    }

    private void assertPasses(Object value, int format, String attributeFilter) throws Exception {
        try (GuardedCodec codec = codec(attributeFilter)) {
            for (Object each : List.of(value, new ArrayList<>(List.of(value)), new Object[] {value})) {
                byte[] bytes = codec.encode(each);
                assertEquals(format, bytes[0]);
                assertSame(each.getClass(), codec.decode(bytes).getClass());
            }
        }
    }

    /** Neither written nor read. */
    private void assertRefused(Object value, String named, String attributeFilter, String exactNames) throws Exception {
        try (GuardedCodec codec = codec(attributeFilter);
                GuardedCodec allowing = codec(exactNames)) {
            for (Object each : List.of(value, new ArrayList<>(List.of(value)), new Object[] {value})) {
                String refusal = assertThrows(NotReplicableException.class, () -> codec.encode(each))
                        .getMessage();
                assertTrue(refusal.contains(named), refusal);
                byte[] bytes = allowing.encode(each);
                String unread = assertThrows(NotDecodableException.class, () -> codec.decode(bytes))
                        .getMessage();
                assertTrue(unread.contains(named), unread);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"shop.Pool, 0", "shop.OwnPool, 1"})
    void theNameAllowsADangerousKind(String name, int format) throws Exception {
        for (String pattern : List.of("", "*", "shop.*", "shop.**")) {
            assertRefused(of(name), name + " is a javax.sql.CommonDataSource", pattern, name);
        }
        assertPasses(of(name), format, name);
        assertPasses(of(name), format, "com.acme.*;" + name);
    }

    @ParameterizedTest
    @CsvSource({"shop.Transformer, 0", "shop.OwnTransformer, 1"})
    void theNameAllowsWhatExtendsAGadget(String name, int format) throws Exception {
        for (String pattern : List.of("", "*", "shop.*", name)) {
            assertRefused(of(name), GADGET + " is known", pattern, name + ";" + GADGET);
        }
        assertPasses(of(name), format, GADGET);
        assertPasses(of(GADGET), 0, GADGET);
    }

    @Test
    void bothNamesAllowADangerousSubclass() throws Exception {
        assertPasses(of("shop.PoolAbove"), 0, "shop.PoolAbove;shop.Pool");
    }

    private Object proxy(String interfaceName) throws Exception {
        return Proxy.newProxyInstance(
                application, new Class<?>[] {application.loadClass(interfaceName)}, new Answer("n"));
    }

    @ParameterizedTest
    @CsvSource({GADGET_INTERFACE + ", is known", "javax.sql.DataSource, is a javax.sql.CommonDataSource"})
    void theNameAllowsTheInterfaceOfAProxy(String name, String reason) throws Exception {
        for (String pattern : List.of("", "*", name + "*")) {
            assertRefused(proxy(name), name + " " + reason, pattern, name);
        }
        assertPasses(proxy(name), 1, name);
    }

    @Test
    void aProxyOfTheContainerIsNamedByItsInterface() throws Exception {
        String named = CONTAINER_INTERFACE + " is not a class of the application; the setting 'attributeFilter' can "
                + "allow it: '" + CONTAINER_INTERFACE + "'";
        assertRefused(proxy(CONTAINER_INTERFACE), named, "", CONTAINER_INTERFACE);
        assertRefused(proxy(CONTAINER_INTERFACE), named, "jdk.proxy1.*;jdk.proxy2.*", CONTAINER_INTERFACE);
        assertPasses(proxy(CONTAINER_INTERFACE), 1, CONTAINER_INTERFACE);
        assertPasses(proxy(CONTAINER_INTERFACE), 1, "org.apache.catalina.*");
        assertPasses(proxy(CONTAINER_INTERFACE), 1, "*");
    }

    /** Bytes name the class that made it, and its own class can't be named. */
    @ParameterizedTest
    @ValueSource(strings = {MAKER, "org.eclipse.jetty.util.*"})
    void theMakersNameAllowsItsLambda(String allowed) throws Exception {
        Supplier<?> lambda =
                (Supplier<?>) shared.loadClass(MAKER).getMethod("make").invoke(null);
        try (GuardedCodec codec = codec(allowed);
                GuardedCodec refusing = codec("")) {
            assertEquals("made", ((Supplier<?>) codec.decode(codec.encode(lambda))).get());
            String refusal = assertThrows(NotReplicableException.class, () -> refusing.encode(lambda))
                    .getMessage();
            assertTrue(refusal.contains("'" + MAKER + "'"), refusal);
            assertEquals(
                    1, Stream.of(refusal.split("'attributeFilter'", -1)).skip(1).count(), refusal);
        }
    }
}
