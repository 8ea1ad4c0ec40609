package io.understudy.codec.classes;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A list of classes in a file, in UTF-8. Grammar:
 *
 * <pre>
 * file  = "# Understudy attribute classes, version 1" n*line
 * line  = name | "#" comment | nothing, each with white space around it
 * name  = binary name of a class that is no array, as Class.getName() has it; a character that Java has in no identifier,
 *         as other languages may have it in names, is written &#92;uXXXX
 * </pre>
 *
 * <p>Written to a name beside it, forced to the disk and then renamed: there is the whole file or none. A writer holds the lock of {@code FILE.lock} meanwhile, so that writers in several JVMs lose nothing of each other's.
 *
 * <p>Threads: any.
 */
public final class ClassListFile {

    private static final String FIRST_LINE = "# Understudy attribute classes, version 1";

    private static final List<String> EXPLANATION = List.of(
            "# The classes, besides the JDK's values, that attributes of sessions may hold: one in each line, by binary name.",
            "# 'attributeClasses = learn FILE' adds and sorts them, and keeps no other comments than these;",
            "# 'attributeClasses = enforce FILE' allows these classes only.");

    private static final int HEX = 16;
    private static final int ESCAPE_LENGTH = 6;

    private ClassListFile() {}

    /**
     * The names in a file.
     *
     * @throws IOException if there is none, or it is no list; the message has what was expected, and where
     */
    public static Set<String> read(Path file) throws IOException {
        List<String> lines = lines(file);
        if (lines.isEmpty() || !lines.get(0).strip().equals(FIRST_LINE)) {
            throw new IOException("line 1 must be '" + FIRST_LINE + "', was '"
                    + (lines.isEmpty() ? "" : lines.get(0).strip()) + "'");
        }
        Set<String> names = new TreeSet<>();
        for (int i = 1; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                names.add(name(line, i + 1));
            }
        }
        return names;
    }

    /**
     * Looks, without writing, whether names can be added to a file.
     *
     * @throws IOException if the file is there but is no list, or can't be written
     */
    static void check(Path file) throws IOException {
        if (Files.exists(file)) {
            read(file); // What is no list is not written over.
        }
        Path directory = file.toAbsolutePath().getParent();
        if (directory == null
                || !Files.isDirectory(directory)
                || !Files.isWritable(real(file).getParent())) {
            throw new IOException("it must be in a directory that exists and that this process can write to");
        }
    }

    private static List<String> lines(Path file) throws IOException {
        try {
            return Files.readAllLines(file, StandardCharsets.UTF_8);
        } catch (NoSuchFileException e) {
            throw new IOException("the file does not exist", e);
        } catch (CharacterCodingException e) {
            throw new IOException("expected text in UTF-8, found other bytes", e);
        }
    }

    private static String name(String line, int number) throws IOException {
        StringBuilder name = new StringBuilder();
        boolean begun = false; // A part of it, between dots.
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '.' && begun) {
                begun = false;
            } else if (plain(c)) {
                begun = true;
            } else if (line.substring(i).matches("\\\\u[0-9a-fA-F]{4}.*")) {
                c = (char) Integer.parseInt(line.substring(i + 2, i + ESCAPE_LENGTH), HEX);
                i += ESCAPE_LENGTH - 1;
                begun = true;
            } else {
                throw new IOException(malformed(line, number));
            }
            name.append(c);
        }
        if (!begun) {
            throw new IOException(malformed(line, number));
        }
        return name.toString();
    }

    private static String malformed(String line, int number) {
        return "line " + number + " must be the binary name of a class, such as com.acme.Cart$Item, was '" + line + "'";
    }

    private static boolean plain(char c) {
        return Character.isJavaIdentifierPart(c) && !Character.isIdentifierIgnorable(c);
    }

    /** A name as it is in a file. */
    static String line(String name) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            line.append(c == '.' || plain(c) ? String.valueOf(c) : "\\u%04X".formatted((int) c));
        }
        return line.toString();
    }

    /**
     * Adds names to a file, which is made if there is none; one that has all of them is left alone.
     *
     * @throws IOException if the file is no list, or can't be written
     */
    public static void add(Path file, Set<String> names) throws IOException {
        Path real = real(file);
        synchronized (monitor(real)) {
            try (FileChannel beside = FileChannel.open(
                            real.resolveSibling(real.getFileName() + ".lock"),
                            StandardOpenOption.CREATE,
                            StandardOpenOption.WRITE);
                    FileLock lock = beside.lock()) {
                assert lock.isValid();
                Set<String> all = new TreeSet<>(names);
                boolean there = Files.exists(real);
                if (there) {
                    Set<String> before = read(real);
                    all.addAll(before);
                    if (all.size() == before.size()) {
                        return;
                    }
                }
                write(real, all);
            }
        }
    }

    /** One of the whole JVM, also if there are several copies of this class: file locks are the JVM's, not a thread's. */
    static Object monitor(Path file) {
        return ("io.understudy.codec.classes.ClassListFile " + file).intern();
    }

    /** The file where links lead to: what links to it stays a link. */
    private static Path real(Path file) throws IOException {
        if (Files.exists(file)) {
            return file.toRealPath();
        }
        Path directory = file.toAbsolutePath().getParent();
        Path name = file.getFileName();
        if (directory == null || name == null) {
            throw new IOException("it must be a file in a directory");
        }
        return directory.toRealPath().resolve(name);
    }

    private static void write(Path file, Set<String> names) throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add(FIRST_LINE);
        lines.addAll(EXPLANATION);
        names.forEach(name -> lines.add(line(name)));
        Path beside = file.resolveSibling(file.getFileName() + ".writing");
        Files.write(beside, lines, StandardCharsets.UTF_8);
        try (FileChannel channel = FileChannel.open(beside, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
        Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
