package io.understudy.codec.kryo;

import com.esotericsoftware.kryo.util.MapReferenceResolver;
import io.understudy.codec.buffers.HeapWeight;
import org.jspecify.annotations.Nullable;

/**
 * Kryo's references, by which it meets each object once. Adds what is met to a weight, if there is one.
 *
 * <p>Threads: one.
 */
@SuppressWarnings("rawtypes") // Kryo's own signatures.
final class WeighingReferences extends MapReferenceResolver {

    private @Nullable HeapWeight weight;

    /** @param to what the objects of the next value are added to; {@code null} to weigh nothing */
    void weigh(@Nullable HeapWeight to) {
        weight = to;
    }

    /** Asked once for each object; those without references are in boxes, or constants. */
    @Override
    public boolean useReferences(Class type) {
        boolean uses = super.useReferences(type);
        if (!uses && weight != null) {
            weight.addBoxed(type);
        }
        return uses;
    }

    @Override
    public int addWrittenObject(Object object) {
        if (weight != null) {
            weight.add(object);
        }
        return super.addWrittenObject(object);
    }

    /** The value is complete: what was read is weighed now, as containers are empty when they are noted. */
    @Override
    public void reset() {
        if (weight != null) {
            for (Object read : readObjects) {
                if (read != null) {
                    weight.add(read);
                }
            }
            weight = null;
        }
        super.reset();
    }
}
