package io.understudy.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Output;
import io.understudy.codec.classes.ClassList;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.ObjectOutputStream;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** URLs in attributes. */
@Tag("rules")
class WrittenUrlTest {

    private final GuardedCodec codec = codec("");

    @AfterEach
    void close() {
        codec.close();
    }

    private URL copy(URL url) throws Exception {
        return copy(codec, url);
    }

    private static URL copy(GuardedCodec codec, URL url) throws Exception {
        return (URL) codec.decode(codec.encode(url));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://example.org",
                "https://user:pass@example.org:8443/a/b?q=1&r=2#part",
                "http://[2001:db8::1]:80/x",
                "file:/tmp/a%20b",
                "jar:file:/a/b.jar!/c/d.txt",
                "mailto:ada@example.org"
            })
    void allItsPartsComeBack(String text) throws Exception {
        URL url = new URL(text);
        URL copy = copy(copy(url));
        assertEquals(text, copy.toExternalForm());
        assertEquals(url.getProtocol(), copy.getProtocol());
        assertEquals(url.getHost(), copy.getHost());
        assertEquals(url.getPort(), copy.getPort());
        assertEquals(url.getDefaultPort(), copy.getDefaultPort());
        assertEquals(url.getAuthority(), copy.getAuthority());
        assertEquals(url.getUserInfo(), copy.getUserInfo());
        assertEquals(url.getPath(), copy.getPath());
        assertEquals(url.getQuery(), copy.getQuery());
        assertEquals(url.getRef(), copy.getRef());
        assertEquals(url.toURI(), copy.toURI());
    }

    @Test
    void aRelativeOneIsMadeOfIt() throws Exception {
        URL base = copy(new URL("http://example.org/a/b?q"));
        assertEquals("http://example.org/a/c#d", new URL(base, "c#d").toExternalForm());
    }

    @Test
    void itConnects() throws Exception {
        URL here = WrittenUrlTest.class.getResource("WrittenUrlTest.class");
        try (InputStream original = here.openStream();
                InputStream copy = copy(here).openStream()) {
            assertArrayEquals(original.readAllBytes(), copy.readAllBytes());
        }
    }

    /** The JDK takes URLs for equal whose hosts have one address. */
    @Test
    void itIsComparedWithoutTheNetwork() throws Exception {
        URL name = copy(new URL("http://localhost/"));
        URL number = copy(new URL("http://127.0.0.1/"));
        assertNotEquals(name, number);
        assertEquals(name, copy(name));
        assertEquals(name.hashCode(), copy(name).hashCode());
        assertEquals("http://localhost/".hashCode(), name.hashCode());
    }

    private static byte[] ownForm() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(1);
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(JdkMakers.urlsAsKeys());
        }
        return bytes.toByteArray();
    }

    private static GuardedCodec codec(String attributeFilter) {
        return new GuardedCodec(WrittenUrlTest.class::getClassLoader, Set.of(), attributeFilter, ClassList.any());
    }

    @Test
    void theJdksOwnFormIsRefused() throws Exception {
        byte[] bytes = ownForm();
        NotDecodableException refused = assertThrows(NotDecodableException.class, () -> codec.decode(bytes));
        assertTrue(refused.getMessage().contains("java.net.URL"), refused.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"**", "*", "java.net.*", "java.**", "java.net.URL*", "java.base/java.net.*"})
    void noPatternAllowsTheJdksOwnForm(String pattern) throws Exception {
        byte[] bytes = ownForm();
        URL url = new URL("http://localhost/");
        try (GuardedCodec allowing = codec(pattern)) {
            NotDecodableException refused = assertThrows(NotDecodableException.class, () -> allowing.decode(bytes));
            assertTrue(refused.getMessage().contains("can allow it: 'java.net.URL'"), refused.getMessage());
            assertThrows(NotDecodableException.class, () -> allowing.decode(inKryosForm()));
            assertEquals(url, copy(allowing, url), "its parts come back");
        }
    }

    /** As a hostile member would write it. */
    private static byte[] inKryosForm() {
        Output out = new Output(64, -1);
        out.writeByte(0);
        out.writeVarInt(1, true); // A class by its name.
        out.writeVarInt(0, true); // The first one.
        out.writeString("java.net.URL");
        out.writeByte('b');
        out.writeVarInt(Kryo.NOT_NULL, true);
        out.writeString("http://localhost/");
        return out.toBytes();
    }

    @ParameterizedTest
    @ValueSource(strings = {"java.net.URL", "com.acme.*;java.net.URL", "java.base/java.net.URL", "**;java.net.URL"})
    void itsNameAllowsTheJdksOwnForm(String name) throws Exception {
        try (GuardedCodec allowing = codec(name)) {
            assertEquals(
                    JdkMakers.urlsAsKeys().toString(),
                    allowing.decode(ownForm()).toString());
            assertThrows(NotDecodableException.class, () -> allowing.decode(inKryosForm()), "Kryo never makes one");
            assertEquals(new URL("http://localhost/"), copy(allowing, new URL("http://localhost/")));
        }
    }

    @Test
    void theSettingCanRejectIt() throws Exception {
        URL url = new URL("http://localhost/");
        byte[] bytes = codec.encode(url);
        try (GuardedCodec rejecting = codec("!java.net.URL")) {
            assertThrows(NotReplicableException.class, () -> rejecting.encode(url));
            assertThrows(NotDecodableException.class, () -> rejecting.decode(bytes));
        }
    }

    /** A protocol of the application's own, which writes its URLs as it likes. */
    @Test
    void oneWhoseTextIsNotOfItsPartsIsRefused() throws Exception {
        URL odd = new URL("odd", "host", 1, "/file", new URLStreamHandler() {
            @Override
            protected URLConnection openConnection(URL url) {
                throw new UnsupportedOperationException();
            }

            @Override
            protected String toExternalForm(URL url) {
                return "something else";
            }
        });
        NotReplicableException refused = assertThrows(NotReplicableException.class, () -> codec.encode(odd));
        assertTrue(refused.getMessage().contains("odd"), refused.getMessage());
    }

    /** No reader could make it. */
    @Test
    void oneWithoutAHostIsRefused() throws Exception {
        URL bare = new URL(null, "odd:x", new URLStreamHandler() {
            @Override
            protected URLConnection openConnection(URL url) {
                throw new UnsupportedOperationException();
            }

            @Override
            protected void parseURL(URL url, String spec, int start, int limit) {}
        });
        NotReplicableException refused = assertThrows(NotReplicableException.class, () -> codec.encode(bare));
        assertTrue(refused.getMessage().contains("without a host"), refused.getMessage());
    }
}
