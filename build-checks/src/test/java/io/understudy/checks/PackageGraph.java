package io.understudy.checks;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.Source;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The packages of one module, and which of them uses which, from its class files. Names are relative to {@code io.understudy}. */
final class PackageGraph {

    static final String ROOT = "io.understudy";

    /** What a package has. Files are names without a path; {@code package-info.java} is not among them. */
    record Content(Set<String> files, Set<String> publicTypes, Set<String> uses) {

        Content() {
            this(new TreeSet<>(), new TreeSet<>(), new TreeSet<>());
        }
    }

    private final Map<String, Content> packages = new TreeMap<>();
    private final Map<String, Integer> floors = new TreeMap<>();

    /** @throws IllegalStateException if packages use each other in a circle */
    PackageGraph(JavaClasses classes) {
        classes.forEach(this::add);
        packages.keySet().forEach(name -> floor(name, List.of()));
    }

    private void add(JavaClass type) {
        if (type.getSimpleName().equals("package-info")) {
            return;
        }
        Content content = packages.computeIfAbsent(relative(type), name -> new Content());
        type.getSource().flatMap(Source::getFileName).ifPresent(content.files()::add);
        if (!type.isNestedClass() && type.getModifiers().contains(JavaModifier.PUBLIC)) {
            content.publicTypes().add(type.getSimpleName());
        }
        type.getDirectDependenciesFromSelf().stream()
                .map(dependency -> dependency.getTargetClass().getBaseComponentType())
                .filter(used -> ours(used) && !used.getPackageName().equals(type.getPackageName()))
                .forEach(used -> content.uses().add(relative(used)));
    }

    private int floor(String name, List<String> above) {
        Integer known = floors.get(name);
        if (known != null) {
            return known;
        }
        List<String> path = new ArrayList<>(above);
        path.add(name);
        if (above.contains(name)) {
            throw new IllegalStateException("packages use each other: " + String.join(" -> ", path));
        }
        int floor = 1
                + uses(name).stream().mapToInt(used -> floor(used, path)).max().orElse(0);
        floors.put(name, floor);
        return floor;
    }

    /** Those that use others before those they use: by floor, and by name. */
    List<String> fromAbove() {
        return packages.keySet().stream()
                .sorted(Comparator.comparing((String name) -> -floor(name)).thenComparing(name -> name))
                .toList();
    }

    /** 1 for a package that uses no other, else one more than the highest of those that it uses. */
    int floor(String name) {
        return floors.getOrDefault(name, 0);
    }

    Set<String> files(String name) {
        return packages.getOrDefault(name, new Content()).files();
    }

    /** The simple names of its public types that are not nested. */
    Set<String> publicTypes(String name) {
        return packages.getOrDefault(name, new Content()).publicTypes();
    }

    Set<String> uses(String name) {
        return packages.getOrDefault(name, new Content()).uses();
    }

    /** Those that it uses, without those that a longer way leads to. */
    Set<String> usesNext(String name) {
        Set<String> next = new TreeSet<>(uses(name));
        uses(name).forEach(used -> next.removeAll(below(used)));
        return next;
    }

    /** All packages that a way leads to. */
    Set<String> below(String name) {
        Set<String> below = new TreeSet<>();
        for (String used : uses(name)) {
            below.add(used);
            below.addAll(below(used));
        }
        return below;
    }

    static String relative(JavaClass type) {
        String name = type.getPackageName();
        return name.equals(ROOT) ? ROOT : name.substring(ROOT.length() + 1);
    }

    static boolean ours(JavaClass type) {
        return type.getPackageName().equals(ROOT) || type.getPackageName().startsWith(ROOT + ".");
    }
}
