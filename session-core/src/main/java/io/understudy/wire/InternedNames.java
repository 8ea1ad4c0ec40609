package io.understudy.wire;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Names that were read before, so that one of many sessions is one object: no bytes are copied then, and who compares it
 * with what is held finds the same object. A few hundred short ones of Latin letters; a newer name takes an older one's
 * place.
 *
 * <p>Threads: any.
 */
final class InternedNames {

    private static final int PLACES = 512;

    /** Longer names are not kept. */
    static final int MAX_LENGTH = 64;

    private static final AtomicReferenceArray<@Nullable String> NAMES = new AtomicReferenceArray<>(PLACES);

    private InternedNames() {}

    /** The name of which these are the bytes, if it is here. */
    static @Nullable String find(byte[] ascii, int offset, int length) {
        if (length > MAX_LENGTH) {
            return null;
        }
        int hash = 0;
        for (int i = offset; i < offset + length; i++) {
            hash = 31 * hash + ascii[i]; // As a string's.
        }
        String name = NAMES.getPlain(place(hash));
        return name != null && same(name, ascii, offset, length) ? name : null;
    }

    /** Has {@link #find} find a name; the one to use, which is interned, as the names of replicas are. */
    static String keep(String name) {
        if (name.length() > MAX_LENGTH) {
            return name;
        }
        String interned = name.intern();
        NAMES.setRelease(place(name.hashCode()), interned);
        return interned;
    }

    private static int place(int hash) {
        return (hash ^ (hash >>> 16)) & (PLACES - 1);
    }

    /** Characters beyond ASCII are more bytes than one, each negative: they are the same as none of them. */
    private static boolean same(String name, byte[] ascii, int offset, int length) {
        if (name.length() != length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (name.charAt(i) != ascii[offset + i]) {
                return false;
            }
        }
        return true;
    }
}
