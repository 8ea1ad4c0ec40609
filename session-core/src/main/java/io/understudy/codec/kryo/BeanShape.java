package io.understudy.codec.kryo;

import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import io.understudy.codec.buffers.BoundedInput;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a class and its superclasses, by name. Written before the first object of the class in an attribute, and compared
 * with what the class is here. Grammar: {@code levels(varint) level*}, {@code level = class(string, empty for the class itself)
 * declared(boolean) [serialVersionUID(8)] fields(varint) field*}, {@code field = type(1, as in descriptors, L for all objects)
 * name(string)}.
 *
 * <p>A field is found by its class and name, and if it is not there by its name alone: then it was moved in the hierarchy.
 */
final class BeanShape {

    /** A class of the hierarchy with its fields, sorted by name. */
    private record Level(String name, @Nullable Long uid, List<BeanField> fields) {}

    /** A field as it was written: where it goes here, if it goes anywhere. */
    record Written(
            char code,
            String declarer,
            String name,
            @Nullable BeanField target) {}

    private final Class<?> type;
    private final List<Level> levels;
    private final List<BeanField> fields;

    BeanShape(Class<?> type) {
        this.type = type;
        this.levels = new ArrayList<>();
        for (Class<?> at = type; at != null && at != Object.class; at = at.getSuperclass()) {
            String name = at == type ? "" : at.getName();
            List<BeanField> declared = Arrays.stream(at.getDeclaredFields())
                    .filter(field -> (field.getModifiers() & (Modifier.STATIC | Modifier.TRANSIENT)) == 0)
                    .filter(field -> !field.isSynthetic())
                    .sorted(Comparator.comparing(Field::getName))
                    .map(field -> new BeanField(field, name))
                    .toList();
            Long uid = declaredUid(at);
            if (!declared.isEmpty() || uid != null) {
                levels.add(new Level(name, uid, declared));
            }
        }
        this.fields = levels.stream().flatMap(level -> level.fields().stream()).toList();
    }

    /** The {@code serialVersionUID} that the author gave the class; {@code null} if none. */
    private static @Nullable Long declaredUid(Class<?> type) {
        try {
            Field field = type.getDeclaredField("serialVersionUID");
            int wanted = Modifier.STATIC | Modifier.FINAL;
            if ((field.getModifiers() & wanted) != wanted || field.getType() != long.class) {
                return null;
            }
            field.setAccessible(true);
            return field.getLong(null);
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }

    /** In the order in which they are written. */
    List<BeanField> fields() {
        return fields;
    }

    void write(Output output) {
        output.writeVarInt(levels.size(), true);
        for (Level level : levels) {
            output.writeString(level.name());
            output.writeBoolean(level.uid() != null);
            if (level.uid() != null) {
                output.writeLong(level.uid());
            }
            output.writeVarInt(level.fields().size(), true);
            for (BeanField field : level.fields()) {
                output.writeByte(field.code());
                output.writeString(field.name());
            }
        }
    }

    /**
     * What another version of the class wrote, in its order.
     *
     * @throws KryoException if it can't be told which field is which, or the author declared the versions incompatible
     */
    List<Written> read(Input input) {
        List<Written> written = new ArrayList<>();
        int count = claimed(input);
        for (int i = 0; i < count; i++) {
            String declarer = input.readString();
            Long uid = input.readBoolean() ? input.readLong() : null;
            checkUid(declarer, uid);
            int declared = claimed(input);
            for (int j = 0; j < declared; j++) {
                char code = (char) input.readByte();
                String name = input.readString();
                written.add(new Written(code, declarer, name, find(declarer, name, written.size())));
            }
        }
        return allFound(written) ? written : moved(written);
    }

    private static int claimed(Input input) {
        int count = input.readVarInt(true);
        ((BoundedInput) input).claim(count);
        return count;
    }

    private void checkUid(String declarer, @Nullable Long uid) {
        for (Level level : levels) {
            if (level.name().equals(declarer)
                    && level.uid() != null
                    && uid != null
                    && !level.uid().equals(uid)) {
                throw new KryoException((declarer.isEmpty() ? type.getName() : declarer)
                        + ": expected serialVersionUID " + level.uid() + ", found " + uid);
            }
        }
    }

    /** @param guess its place, if the versions are the same */
    private @Nullable BeanField find(String declarer, String name, int guess) {
        if (guess < fields.size() && fields.get(guess).is(declarer, name)) {
            return fields.get(guess);
        }
        return fields.stream()
                .filter(field -> field.is(declarer, name))
                .findFirst()
                .orElse(null);
    }

    private boolean allFound(List<Written> written) {
        return written.size() == fields.size() && written.stream().allMatch(field -> field.target() != null);
    }

    /** Fields that have another class of the hierarchy here go by their name, if that leaves no choice. */
    private List<Written> moved(List<Written> written) {
        Set<BeanField> taken = new HashSet<>();
        written.forEach(field -> taken.add(field.target()));
        List<Written> all = new ArrayList<>();
        for (Written field : written) {
            List<BeanField> here = field.target() != null
                    ? List.of()
                    : fields.stream()
                            .filter(each -> !taken.contains(each) && each.name().equals(field.name()))
                            .toList();
            all.add(here.isEmpty() ? field : moved(field, here, written));
        }
        return all;
    }

    private Written moved(Written field, List<BeanField> here, List<Written> written) {
        long there = written.stream()
                .filter(each -> each.target() == null && each.name().equals(field.name()))
                .count();
        if (there > 1 || here.size() > 1) {
            throw new KryoException(type.getName() + "." + field.name()
                    + ": expected one field of this name to have moved between superclasses, found " + there
                    + " in the bytes and " + here.size() + " here");
        }
        return new Written(field.code(), field.declarer(), field.name(), here.get(0));
    }
}
