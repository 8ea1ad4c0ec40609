package io.understudy.checks;

import com.tngtech.archunit.core.domain.JavaAnnotation;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Which classes have tests, and of which tier they are. */
final class TestClasses {

    private static final Set<String> TAGS = Set.of("org.junit.jupiter.api.Tag", "net.jqwik.api.Tag");

    private static final Set<String> TESTS = Set.of(
            "org.junit.jupiter.api.Test",
            "org.junit.jupiter.api.RepeatedTest",
            "org.junit.jupiter.api.TestFactory",
            "org.junit.jupiter.params.ParameterizedTest",
            "io.understudy.junit.FailoverTest",
            "net.jqwik.api.Property",
            "net.jqwik.api.Example");

    private TestClasses() {}

    /** All of them but those that only others extend; nested ones are their outer class's. */
    static List<JavaClass> in(JavaClasses classes) {
        return classes.stream()
                .filter(type -> !type.isNestedClass() && !type.isInterface())
                .filter(type -> !type.getModifiers().contains(JavaModifier.ABSTRACT))
                .filter(type -> named(type) || hasTests(type))
                .toList();
    }

    /** Whether Surefire looks into it. */
    static boolean named(JavaClass type) {
        return type.getSimpleName().endsWith("Test") || type.getSimpleName().endsWith("IT");
    }

    static boolean hasTests(JavaClass type) {
        return type.getAllMethods().stream()
                .flatMap(method -> method.getAnnotations().stream())
                .anyMatch(annotation -> TESTS.contains(annotation.getRawType().getName()));
    }

    /** The tags of a class that name tiers, those that it inherits too. */
    static Set<String> tiers(JavaClass type) {
        Set<String> tiers = new TreeSet<>();
        Stream.concat(Stream.of(type), type.getAllRawSuperclasses().stream())
                .flatMap(each -> each.getAnnotations().stream())
                .filter(annotation -> TAGS.contains(annotation.getRawType().getName()))
                .map(TestClasses::value)
                .filter(tag ->
                        Arrays.stream(Tier.values()).anyMatch(tier -> tier.tag().equals(tag)))
                .forEach(tiers::add);
        return tiers;
    }

    private static String value(JavaAnnotation<?> annotation) {
        return String.valueOf(annotation.getExplicitlyDeclaredProperty("value"));
    }

    /** The class whose tags hold for this one. */
    static JavaClass outermost(JavaClass type) {
        return type.getEnclosingClass().map(TestClasses::outermost).orElse(type);
    }
}
