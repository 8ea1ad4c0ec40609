package io.understudy.config;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Whether a list, in a file, defines which classes attributes may hold. Two are equal if they were written alike.
 *
 * <p>Threads: any; immutable.
 *
 * @param file empty if there is no list
 */
public record AttributeClasses(Mode mode, String file) {

    /** What the list is for. */
    public enum Mode {
        /** Nothing: where a class comes from decides alone. */
        LOADER,
        /** The classes that are met are collected in it. */
        LEARN,
        /** Only classes that are in it may be in attributes. */
        ENFORCE;

        private String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Without a list. */
    public static final AttributeClasses ANY = new AttributeClasses(Mode.LOADER, "");

    private static final String EXAMPLE = "learn attribute-classes.txt";

    static AttributeClasses read(SettingReader read) {
        String[] words = read.text(Setting.ATTRIBUTE_CLASSES).split("\\s+", 2);
        String file = words.length == 1 ? "" : words[1];
        for (Mode mode : Mode.values()) {
            if (mode.word().equalsIgnoreCase(words[0]) && file.isEmpty() == (mode == Mode.LOADER)) {
                checkPath(read, file);
                return new AttributeClasses(mode, file);
            }
        }
        String nearest = DidYouMean.to(
                words[0],
                file.isEmpty() ? new String[] {"loader", "learn", "enforce"} : new String[] {"learn", "enforce"});
        throw malformed(read, nearest.equals("loader") ? nearest : file.isEmpty() ? EXAMPLE : nearest + " " + file);
    }

    private static void checkPath(SettingReader read, String file) {
        try {
            var unused = Path.of(file);
        } catch (InvalidPathException e) {
            throw malformed(read, EXAMPLE);
        }
    }

    private static ConfigException malformed(SettingReader read, String valid) {
        return read.malformed(Setting.ATTRIBUTE_CLASSES, "must be 'loader', 'learn FILE' or 'enforce FILE'", valid);
    }

    /** The setting cannot be done with this file. */
    public ConfigException unusable(String reason) {
        return new ConfigException("setting '" + Setting.ATTRIBUTE_CLASSES.key()
                + "' must name a list of classes that can be " + (mode == Mode.LEARN ? "written" : "read") + ", was '"
                + this + "': " + reason + "; the nearest valid value is '"
                + (mode == Mode.ENFORCE
                        ? new AttributeClasses(Mode.LEARN, file) + "', until the file lists all classes that the "
                                + "application needs"
                        : EXAMPLE + "'"));
    }

    /** As {@link UnderstudyConfig} reads it. */
    @Override
    public String toString() {
        return mode == Mode.LOADER ? mode.word() : mode.word() + " " + file;
    }
}
