package io.understudy.museum.attacks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.codec.GuardedCodec;
import io.understudy.codec.NotDecodableException;
import io.understudy.codec.Outsiders;
import io.understudy.codec.classes.ClassList;
import io.understudy.museum.Layout;
import io.understudy.museum.NodeLoader;
import io.understudy.museum.attacks.Payload.Plain;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.codehaus.groovy.runtime.MethodClosure;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each chain of ysoserial whose library is on the class path of this module, as bytes. The JDK alone follows it, as far as
 * the releases here permit. The codec refuses it at default settings, and with a setting that allows all that patterns
 * can allow.
 */
@Tag("process")
class PublishedChainsTest {

    /** Values of {@code attributeFilter}. Every class matches a star alone, and none matches two. */
    private static final List<String> SETTINGS = List.of("", "**", "*");

    /** Refused for what they are, not by name: as Kryo does not restore them anyway, it says only that. */
    private static final Set<String> UNNAMED = Set.of("java.net.URL", "org.postgresql.ds.PGSimpleDataSource");

    /** Where the classes of the application are: beside the codec's, and in a loader of their own. */
    private static final List<ClassLoader> LOADERS =
            List.of(PublishedChainsTest.class.getClassLoader(), NodeLoader.of(Layout.WAR));

    /** Without it the library refuses to read its gadgets. It is set, so that nothing but our filter refuses them. */
    private static final String UNSAFE = "org.apache.commons.collections.enableUnsafeSerialization";

    private static final String FACTORY = "java.naming.factory.initial";

    @BeforeAll
    static void letLibrariesReadThem() {
        System.setProperty(UNSAFE, "true");
        System.setProperty(FACTORY, Canary.Names.class.getName());
        MethodClosure.ALLOW_RESOLVE = true;
    }

    @AfterAll
    static void letThemNot() {
        System.clearProperty(UNSAFE);
        System.clearProperty(FACTORY);
        MethodClosure.ALLOW_RESOLVE = false;
    }

    @BeforeEach
    void releaseTheCanary() {
        Canary.release();
    }

    static List<Payload> payloads() {
        return Chains.payloads();
    }

    @ParameterizedTest
    @MethodSource("payloads")
    void theJdkAloneFollowsTheChain(Payload payload) throws Exception {
        byte[] stream = payload.stream();
        assertFalse(Canary.touched(), "by making the payload");
        Set<String> loaded = PlainReading.loaded(stream, payload.plain() == Plain.ENDED ? payload.decisive() : "");
        assertTrue(loaded.contains(payload.decisive()), loaded::toString);
        assertEquals(payload.plain() == Plain.RUNS, Canary.touched(), payload::why);
        assertEquals(payload.plain() == Plain.RUNS, payload.why().isEmpty(), payload::why);
    }

    @ParameterizedTest
    @MethodSource("payloads")
    void theCodecRefusesItsStream(Payload payload) throws Exception {
        byte[] attribute = payload.attribute();
        Set<String> decisive =
                Chains.payloads().stream().map(Payload::decisive).collect(Collectors.toCollection(HashSet::new));
        decisive.addAll(PlainReading.loaded(payload.stream(), payload.decisive()));
        for (String setting : SETTINGS) {
            Canary.release();
            assertRefused(attribute, setting, decisive);
        }
    }

    /** In Kryo's form the class of the chain is named alone, in a list, and as an element of an array. */
    @ParameterizedTest
    @MethodSource("payloads")
    void theCodecRefusesItsClassFromKryo(Payload payload) throws IOException {
        String name = payload.decisive();
        for (String setting : SETTINGS) {
            for (byte[] frame : Outsiders.inKryo(name)) {
                assertRefused(frame, setting, Set.of(name));
            }
        }
    }

    private static void assertRefused(byte[] attribute, String setting, Set<String> names) {
        for (ClassLoader loader : LOADERS) {
            try (GuardedCodec codec = new GuardedCodec(() -> loader, Set.of(), setting, ClassList.any())) {
                NotDecodableException refused =
                        assertThrows(NotDecodableException.class, () -> codec.decode(attribute), setting);
                String message = String.valueOf(refused.getMessage());
                assertTrue(isRefusal(message, names), message);
            }
            assertFalse(Canary.touched(), setting);
        }
    }

    /** The filter objects, not the library, and to a class that is in the bytes. */
    private static boolean isRefusal(String message, Set<String> names) {
        return names.stream().anyMatch(message::contains)
                && (message.contains(" is known for turning deserialization into code execution")
                        || UNNAMED.stream().anyMatch(message::contains));
    }

    @Test
    void eachChainOnTheClassPathHasAPayload() {
        Set<String> payloads =
                Chains.payloads().stream().map(Payload::chain).collect(Collectors.toCollection(TreeSet::new));
        Set<String> present = new TreeSet<>();
        Chains.markers().forEach((chain, markers) -> {
            if (markers.stream().anyMatch(PublishedChainsTest::isHere)) {
                present.add(chain);
            }
        });
        Set<String> missing = new TreeSet<>(present);
        missing.removeAll(payloads);
        assertEquals(Set.of(), missing);
        Set<String> inVain = new TreeSet<>(Chains.markers().keySet());
        inVain.removeAll(present);
        inVain.retainAll(payloads);
        assertEquals(Set.of(), inVain);
    }

    private static boolean isHere(String className) {
        try {
            Class.forName(className, false, PublishedChainsTest.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }
}
