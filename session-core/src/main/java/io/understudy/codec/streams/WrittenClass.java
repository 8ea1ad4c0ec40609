package io.understudy.codec.streams;

import io.understudy.codec.classes.FaithfulTypes;
import io.understudy.codec.classes.JdkValues;
import java.io.InvalidClassException;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamField;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A class in a JDK stream, as its writer had it. JDK serialization knows fields by their class and name, so one that moved to another class
 * of the hierarchy, or whose superclass was renamed, is dropped there and left at its default here, without a word.
 */
final class WrittenClass {

    /** A field of one of the classes of a hierarchy. */
    private record Place(String owner, String field) {}

    private final ObjectStreamClass description;
    private final Lineage lineage;
    private @Nullable Class<?> here;

    WrittenClass(ObjectStreamClass description, Lineage lineage) {
        this.description = description;
        this.lineage = lineage;
    }

    /**
     * The class of that name on this node; not told if there is none.
     *
     * @throws InvalidClassException if what follows would be misread
     */
    void here(Class<?> type) throws InvalidClassException {
        here = type;
        if (lineage.ownForm() && !FaithfulTypes.readsItself(type)) {
            throw refused("a class with a readObject, as it was written by its own writeObject", "none");
        }
        if (lineage.holder() && !Collection.class.isAssignableFrom(type) && !Map.class.isAssignableFrom(type)) {
            throw refused("a collection or map, as it was when it was written", "another class");
        }
    }

    /**
     * Looks what became of its fields.
     *
     * @param all classes in the stream, by name
     * @return fields that this node's class has not, each behind its class; none of a class that reads itself, which may know them
     * @throws InvalidClassException if a field was lost
     */
    List<String> check(Map<String, WrittenClass> all) throws InvalidClassException {
        if (here == null || JdkValues.ofJdk(here) || here.isArray() || Enum.class.isAssignableFrom(here)) {
            return List.of();
        }
        Set<Place> dropped = placesWritten(all);
        dropped.removeIf(place -> ApiServlets.isOne(place.owner())); // The container's, not the application's.
        Set<Place> defaulted = placesHere();
        Set<Place> common = new HashSet<>(dropped);
        common.retainAll(defaulted);
        dropped.removeAll(common);
        defaulted.removeAll(common);
        for (Place lost : dropped) {
            for (Place kept : defaulted) {
                if (kept.field().equals(lost.field())) {
                    throw refused("field '" + lost.field() + "' in " + kept.owner(), "it in " + lost.owner());
                }
            }
        }
        return dropped.isEmpty()
                ? List.of()
                : dropped.stream()
                        .filter(lost -> !readsItself(all.get(lost.owner())))
                        .map(lost -> lost.owner() + "." + lost.field())
                        .toList();
    }

    private static boolean readsItself(@Nullable WrittenClass type) {
        return type != null && type.here != null && (type.lineage.ownForm() || FaithfulTypes.readsItself(type.here));
    }

    /** Whether it can be told to somebody who looks for what is in the way. */
    boolean ofApplication() {
        return here == null || !JdkValues.ofJdk(here);
    }

    private InvalidClassException refused(String expected, String found) {
        return new InvalidClassException(description.getName(), "expected " + expected + ", found " + found);
    }

    private Set<Place> placesWritten(Map<String, WrittenClass> all) {
        Set<Place> places = new HashSet<>();
        Set<String> met = new HashSet<>();
        for (WrittenClass at = this;
                at != null && met.add(at.description.getName());
                at = all.get(at.lineage.superclass())) {
            add(places, at.description);
        }
        return places;
    }

    private Set<Place> placesHere() {
        Set<Place> places = new HashSet<>();
        for (Class<?> at = here; at != null && !JdkValues.ofJdk(at); at = at.getSuperclass()) {
            ObjectStreamClass own = ObjectStreamClass.lookup(at);
            if (own != null) {
                add(places, own);
            }
        }
        return places;
    }

    private static void add(Set<Place> places, ObjectStreamClass type) {
        Arrays.stream(type.getFields())
                .map(ObjectStreamField::getName)
                .forEach(field -> places.add(new Place(type.getName(), field)));
    }
}
