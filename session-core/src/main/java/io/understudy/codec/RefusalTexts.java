package io.understudy.codec;

import com.esotericsoftware.kryo.KryoException;
import io.understudy.codec.classes.ClassFilter;
import java.io.ObjectStreamException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Makes a refusal name all classes that are in the way, not the first one only. Each text is worked out once.
 *
 * <p>Threads: any.
 */
final class RefusalTexts {

    /** How many texts are kept; more are worked out each time. */
    private static final int MOST = 1000;

    private final ClassFilter filter;
    private final Map<String, String> known = new ConcurrentHashMap<>();

    RefusalTexts(ClassFilter filter) {
        this.filter = filter;
    }

    /** @param most bytes of the value that are looked at */
    NotReplicableException complete(Object value, NotReplicableException refusal, int most) {
        Throwable cause = refusal.getCause();
        if (!refusal.lasting() || !(cause instanceof ObjectStreamException || cause instanceof KryoException)) {
            return refusal;
        }
        String text = text(value, String.valueOf(refusal.getMessage()), most);
        return text == null ? refusal : NotReplicableException.never(value, text, cause);
    }

    private @Nullable String text(Object value, String first, int most) {
        String text = known.get(first);
        if (text == null) {
            text = RefusedClasses.of(value, filter, most);
            if (text != null && known.size() < MOST) {
                known.put(first, text);
            }
        }
        return text;
    }

    void clear() {
        known.clear();
    }
}
