package io.understudy.checks;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** How many public types each package of the core may have. The numbers may fall, and rise only by hand. */
final class PublicTypes {

    static final String TABLE = "build-checks/src/test/resources/public-types.txt";

    private final PackageGraph graph;
    private final Map<String, Integer> allowed = new TreeMap<>();

    PublicTypes(PackageGraph graph) {
        this(graph, Documents.lines(TABLE));
    }

    /** @param table lines with the name of a package and a number */
    PublicTypes(PackageGraph graph, List<String> table) {
        this.graph = graph;
        for (String line : table) {
            String[] parts = line.split(" ", -1);
            allowed.put(parts[0], Integer.parseInt(parts[1]));
        }
    }

    /** What is wrong, with the way out. */
    List<String> findings() {
        Map<String, Integer> all = new TreeMap<>(allowed);
        graph.fromAbove().forEach(name -> all.putIfAbsent(name, 0));
        return all.entrySet().stream()
                .filter(each -> graph.publicTypes(each.getKey()).size() != each.getValue())
                .map(each -> finding(each.getKey(), each.getValue()))
                .toList();
    }

    private String finding(String name, int most) {
        int count = graph.publicTypes(name).size();
        String found = "package " + name + " has " + count + " public types, and " + TABLE + " allows " + most + ": ";
        if (count > most) {
            return found + "make the new one package-private, or write \"" + name + " " + count
                    + "\" and name the reason in the commit; public are " + graph.publicTypes(name);
        }
        return found + (count == 0 ? "remove its line" : "write \"" + name + " " + count + "\"")
                + ", so that the number does not rise again";
    }
}
