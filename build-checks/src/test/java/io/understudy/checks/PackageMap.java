package io.understudy.checks;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** The packages of {@code session-core} as a diagram and a table in Markdown. */
final class PackageMap {

    private static final String SOURCES = "session-core/src/main/java/io/understudy/";

    private final PackageGraph graph;

    PackageMap(PackageGraph graph) {
        this.graph = graph;
    }

    /** The lines of all files, by path below the package {@code io.understudy}, the longest first. */
    List<Length> lengths() {
        return graph.fromAbove().stream()
                .flatMap(name -> graph.files(name).stream().map(file -> length(name, file)))
                .sorted(Comparator.comparing(length -> -length.lines()))
                .toList();
    }

    /** A file and its lines. */
    record Length(String file, int lines) {}

    private static Length length(String name, String file) {
        String directory = name.equals(PackageGraph.ROOT) ? "" : name.replace('.', '/') + "/";
        return new Length(file, Documents.lines(SOURCES + directory + file).size());
    }

    /** The lines of the file in the middle. */
    int median() {
        List<Length> lengths = lengths();
        return lengths.get(lengths.size() / 2).lines();
    }

    /** The text for CONTRIBUTING. Lines are rounded, so that few changes of the code change it. */
    String markdown() {
        List<String> lines = new ArrayList<>();
        lines.add(
                "An arrow leads from a package to a package that it uses. The diagram leaves out an arrow if a longer way");
        lines.add("leads to the same package; the table has all of them. A number is that of the files.");
        lines.add("");
        lines.add("```mermaid");
        lines.add("flowchart TB");
        graph.fromAbove()
                .forEach(name -> lines.add("    " + id(name) + "[\"" + name + " "
                        + graph.files(name).size() + "\"]"));
        graph.fromAbove()
                .forEach(name ->
                        graph.usesNext(name).forEach(used -> lines.add("    " + id(name) + " --> " + id(used))));
        lines.add("```");
        lines.add("");
        figures(lines);
        lines.add("");
        lines.add("| Floor | Package | Files | Public types | Uses |");
        lines.add("|---|---|---|---|---|");
        graph.fromAbove().forEach(name -> lines.add(row(name)));
        return String.join("\n", lines) + "\n";
    }

    private void figures(List<String> lines) {
        List<String> names = graph.fromAbove();
        List<Length> lengths = lengths();
        String largest = names.stream()
                .max(Comparator.comparing(name -> graph.files(name).size()))
                .orElseThrow();
        lines.add("- Packages: " + names.size() + ", with "
                + names.stream().mapToInt(name -> graph.uses(name).size()).sum()
                + " arrows. Each leads to a lower floor:"
                + " no import leads up, and there is no cycle.");
        lines.add("- Files: " + lengths.size() + ". The largest package is `" + largest + "` with "
                + graph.files(largest).size() + ".");
        lines.add("- Lines: about " + Math.round(median() / 10f) * 10 + " in the median file, at most "
                + (lengths.get(0).lines() + 49) / 50 * 50 + " in the longest.");
        lines.add("- Public types: "
                + names.stream()
                        .mapToInt(name -> graph.publicTypes(name).size())
                        .sum()
                + ". The table counts those that are not nested in others.");
    }

    private String row(String name) {
        return "| " + graph.floor(name) + " | `" + name + "` | "
                + graph.files(name).size() + " | " + graph.publicTypes(name).size() + " | "
                + graph.uses(name).stream().map(used -> "`" + used + "`").collect(Collectors.joining(", ")) + " |";
    }

    private static String id(String name) {
        return name.replace('.', '_');
    }
}
