package io.understudy.checks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The walks through the core in CONTRIBUTING name classes that are there, each of which uses the next one. */
@Tag("cluster")
final class WalksTest {

    private static final String PAGE = "CONTRIBUTING.md";
    private static final int MOST_CLASSES = 16;
    private static final Pattern STEP = Pattern.compile("( *)(?:\\d+\\.|-) `([a-z.]+\\.[A-Z]\\w+)`: .*");

    private static final JavaClasses CLASSES = Modules.classesOf("session-core");
    private static final PackageGraph GRAPH = new PackageGraph(CLASSES);

    /** One class of a walk; a side step is indented. */
    private record Step(boolean side, String name) {}

    private static List<Step> walk(String heading) {
        List<Step> steps = new ArrayList<>();
        boolean inside = false;
        for (String line : Documents.lines(PAGE)) {
            if (line.startsWith("#")) {
                inside = line.equals("### " + heading);
            }
            Matcher step = STEP.matcher(line);
            if (inside && step.matches()) {
                steps.add(new Step(!step.group(1).isEmpty(), step.group(2)));
            }
        }
        return steps;
    }

    @ParameterizedTest
    @ValueSource(strings = {"From a changed attribute to the wire", "From a delta to the store", "An expiry"})
    void eachClassUsesTheNextOne(String heading) {
        List<Step> steps = walk(heading);
        assertTrue(steps.size() >= 5, () -> PAGE + " has no walk '### " + heading + "', but " + steps);
        assertTrue(steps.size() <= MOST_CLASSES, () -> steps.size() + " classes, more than " + MOST_CLASSES);
        assertFalse(steps.get(0).side(), "a walk begins with a numbered step");
        assertEquals(steps.size(), steps.stream().map(Step::name).distinct().count(), () -> "no class twice: " + steps);
        List<String> findings = new ArrayList<>();
        String main = steps.get(0).name();
        String before = main;
        for (Step step : steps.subList(1, steps.size())) {
            check(step.side() ? before : main, step.name(), findings);
            before = step.name();
            main = step.side() ? main : step.name();
        }
        assertEquals(List.of(), findings);
    }

    private static void check(String from, String to, List<String> findings) {
        if (!there(from) || !there(to)) {
            findings.add("there is no class " + (there(from) ? to : from));
        } else if (!used(from).contains(PackageGraph.ROOT + "." + to)) {
            findings.add(from + " does not use " + to);
        } else if (!inside(from).equals(inside(to))
                && !GRAPH.below(inside(from)).contains(inside(to))) {
            findings.add(to + " is not below " + from);
        }
    }

    private static boolean there(String name) {
        return CLASSES.contain(PackageGraph.ROOT + "." + name);
    }

    private static String inside(String name) {
        return name.substring(0, name.lastIndexOf('.'));
    }

    /** What a class and the classes nested in it use, by the outermost class. */
    private static Set<String> used(String name) {
        String full = PackageGraph.ROOT + "." + name;
        return CLASSES.stream()
                .filter(type -> TestClasses.outermost(type).getName().equals(full))
                .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                .map(dependency -> dependency.getTargetClass().getBaseComponentType())
                .map(TestClasses::outermost)
                .map(JavaClass::getName)
                .collect(Collectors.toSet());
    }
}
