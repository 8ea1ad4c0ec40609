package io.understudy.codec.classes;

import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The list of a file, beyond which an attribute may hold nothing but the JDK's values. */
record EnforcedClasses(Path file, Set<String> names) implements ClassList {

    @Override
    public @Nullable String objection(Class<?> type) {
        for (String name : ListedNames.of(type)) {
            if (!names.contains(name)) {
                return "class " + name + " is not in " + file
                        + ", which 'attributeClasses' enforces: expected there the " + "line '"
                        + ClassListFile.line(name) + "'; add it, or set 'learn " + file + "' until it is met";
            }
        }
        return null;
    }
}
