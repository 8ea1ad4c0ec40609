package io.understudy.codec.streams;

import io.understudy.codec.classes.FaithfulTypes;
import io.understudy.codec.classes.JdkValues;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.Collection;
import java.util.Map;

/**
 * What a JDK stream does not tell of a class, and its readers need to notice what they would lose: in the annotation of each class of an
 * application. Grammar: {@code [superclass(utf, empty if none that is serializable) marks(1)]}, marks 1 is {@link #ownForm}, 2 {@link
 * #holder}; without both nothing is written.
 *
 * @param ownForm whether it writes and reads itself: its bytes need not be those of its fields
 * @param holder whether it is a collection or map, and holds more than its own fields
 */
record Lineage(String superclass, boolean ownForm, boolean holder) {

    private static final Lineage NONE = new Lineage("", false, false);
    private static final int OWN_FORM = 1;
    private static final int HOLDER = 2;

    static Lineage of(Class<?> type) {
        if (JdkValues.ofJdk(type) || type.isInterface() || Enum.class.isAssignableFrom(type)) {
            return NONE;
        }
        Class<?> above = type.getSuperclass();
        return new Lineage(
                above != null && Serializable.class.isAssignableFrom(above) ? above.getName() : "",
                FaithfulTypes.writesItself(type) && FaithfulTypes.readsItself(type),
                Collection.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type));
    }

    void write(ObjectOutputStream out) throws IOException {
        if (!equals(NONE)) {
            out.writeUTF(superclass);
            out.writeByte((ownForm ? OWN_FORM : 0) | (holder ? HOLDER : 0));
        }
    }

    static Lineage read(ObjectInputStream in) throws IOException {
        if (in.available() == 0) {
            return NONE;
        }
        String superclass = in.readUTF();
        int marks = in.readByte();
        return new Lineage(superclass, (marks & OWN_FORM) != 0, (marks & HOLDER) != 0);
    }
}
