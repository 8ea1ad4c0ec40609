package io.understudy.codec;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Two versions of the same classes, each with the statements that make a value of its version; from the resources in {@code
 * evolution}: a name, the expected outcomes, and the old and the new version, as in
 *
 * <pre>
 * ## field added
 * == ==  == !!
 * -  class Bean implements S { UID int a; }
 * -> var b = new Bean(); b.a = 5; return b;
 * +  class Bean implements S { UID int a; long c = 7; }
 * +> var b = new Bean(); b.a = 5; b.c = 9; return b;
 * </pre>
 *
 * {@code S} is an interface that extends {@code Serializable} and never changes; {@code UID} is the place of a {@code
 * serialVersionUID}, equal in both versions, where one is declared.
 *
 * @param expected the old value read by the new version, then the new value read by the old one: in the format that the codec chooses,
 *     and in a JDK stream; both first with equal UIDs, then without. {@code =} is the right value, {@code !} a refusal by name, {@code N}
 *     that it can't be encoded
 */
record Change(String name, String expected, Version before, Version after) {

    private static final List<String> FILES =
            List.of("fields", "types", "hierarchy", "records", "enums", "held", "kinds");

    record Version(String classes, String value) {

        String source(String unit, boolean uid) {
            return "package " + unit
                    + ";\nimport java.io.*; import java.math.*; import java.time.*; import java.util.*;\n"
                    + "interface S extends Serializable {}\n"
                    + classes.replaceAll("\\bUID\\b", uid ? "private static final long serialVersionUID = 1L;" : "")
                    + "\npublic class Make { public static Object make() throws Exception { " + value + " } }\n";
        }
    }

    static List<Change> all() {
        return FILES.stream().flatMap(Change::in).toList();
    }

    private static Stream<Change> in(String file) {
        try (InputStream in = Change.class.getResourceAsStream("evolution/" + file + ".txt")) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return Arrays.stream(text.strip().split("\n\n+")).map(Change::of);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Change of(String text) {
        List<String> lines = text.lines().toList();
        return new Change(
                line(lines, 0, "## "),
                lines.get(1),
                new Version(line(lines, 2, "-  "), line(lines, 3, "-> ")),
                new Version(line(lines, 4, "+  "), line(lines, 5, "+> ")));
    }

    private static String line(List<String> lines, int at, String begin) {
        if (!(lines.get(at) + "   ").startsWith(begin)) {
            throw new IllegalStateException("expected '" + begin + "' in line " + at + " of " + lines);
        }
        return lines.get(at).substring(Math.min(3, lines.get(at).length()));
    }

    @Override
    public String toString() {
        return name;
    }
}
