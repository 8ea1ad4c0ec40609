package io.understudy.codec;

import io.understudy.codec.classes.ClassList;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that name a class without anybody having made an object of it: another one's name of the same length is written over
 * in them.
 */
public final class Canaries {

    /** The first class that was initialized against the rules, by name. */
    private static volatile @Nullable String sang;

    private Canaries() {}

    /** Whose name is written over. */
    static final class Silent implements Serializable {
        private static final long serialVersionUID = 1L;
    }

    /** By the initialization of a class that nothing may initialize. */
    public static void sing(Class<?> canary) {
        sang = canary.getName();
    }

    /** Never to be initialized, in the whole JVM: its name is all that may be used of it. */
    static final class Canary implements Serializable {
        private static final long serialVersionUID = 1L;

        static {
            sing(Canary.class);
        }
    }

    /** Fails once a canary was initialized. */
    public static void assertSilent() {
        if (sang != null) {
            throw new AssertionError(sang + " was initialized");
        }
    }

    /** Attributes of either format that hold a canary. */
    public static List<byte[]> bytes() {
        List<byte[]> all = new ArrayList<>();
        try (GuardedCodec codec = new GuardedCodec(Canaries.class::getClassLoader, Set.of(), "", ClassList.any())) {
            for (Object value : List.of(
                    new Silent(),
                    new ArrayList<>(List.of("x", new Silent())),
                    new Silent[] {new Silent()},
                    new Silent[0])) {
                all.add(named(codec.encode(value)));
                all.add(named(jdk(value)));
            }
            all.add(named(jdk(Silent.class)));
        } catch (NotReplicableException e) {
            throw new AssertionError(e);
        }
        return all;
    }

    /** As an attribute. */
    static byte[] jdk(Object value) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(1);
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /** The same bytes with the canary's name. Kryo marks the last byte of a text that is ASCII. */
    static byte[] named(byte[] bytes) {
        byte[] changed = bytes.clone();
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        String silent = Silent.class.getName();
        String stem = silent.substring(0, silent.length() - 1);
        int found = 0;
        for (int at = text.indexOf(stem); at >= 0; at = text.indexOf(stem, at + 1)) {
            byte[] name = Canary.class.getName().getBytes(StandardCharsets.ISO_8859_1);
            int last = at + name.length - 1;
            int mark = changed[last] & 0x80;
            System.arraycopy(name, 0, changed, at, name.length);
            changed[last] |= (byte) mark;
            found++;
        }
        if (found == 0) {
            throw new AssertionError("no name in " + text);
        }
        return changed;
    }
}
