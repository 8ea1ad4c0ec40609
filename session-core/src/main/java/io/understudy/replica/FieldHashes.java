package io.understudy.replica;

import org.jspecify.annotations.Nullable;

/** What fields with their stamps add to the digest of a session. */
final class FieldHashes {

    private FieldHashes() {}

    /** Of a session that is over. */
    static long ended(@Nullable Ending ending) {
        return ending == null || ending.invalidated() ? scramble(3) : field(4, ending.judged());
    }

    /** Of one that is not, without its attributes. */
    static long open(
            boolean complete,
            @Nullable Stamp id,
            @Nullable Stamp maxInactive,
            @Nullable Stamp created,
            Renames renames,
            @Nullable Ending ending) {
        long hash = complete ? 1 : 0;
        hash += field(1, id);
        hash += field(2, maxInactive);
        hash += field(6, created);
        hash += field(7, renames.floor());
        for (Stamp replaced : renames.replaced()) {
            hash += field(8, replaced);
        }
        for (Stamped<String> rival : renames.rivals()) {
            hash += field(9, rival.stamp());
        }
        return ending == null ? hash : hash + scramble(5) + ended(ending);
    }

    /** @param name as {@link #name} gives it */
    static long attribute(long name, boolean removed, long time, long origin) {
        return field(name + (removed ? 1L << 40 : 1L << 41), time, origin);
    }

    /** 64 bits of a name: {@link String#hashCode} has 32, and the names that share one are easily met ("Aa", "BB"). */
    static long name(String name) {
        long hash = name.length();
        for (int i = 0; i < name.length(); i++) {
            hash = scramble(hash + name.charAt(i));
        }
        return hash;
    }

    private static long field(long field, @Nullable Stamp stamp) {
        return stamp == null ? 0 : field(field, stamp.time(), stamp.origin());
    }

    private static long field(long field, long time, long origin) {
        return scramble(scramble(scramble(field) + time) + origin);
    }

    /** The finalizer of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014). */
    private static long scramble(long bits) {
        long z = bits + 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
