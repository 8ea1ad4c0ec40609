package io.understudy.museum.library;

import static io.understudy.museum.library.Sample.code;
import static io.understudy.museum.library.Sample.value;

import groovy.lang.GroovyShell;
import groovy.lang.MissingPropertyException;

final class Groovy {

    private Groovy() {}

    /** What a script returns. */
    private static Object run(String script) {
        return new GroovyShell(Groovy.class.getClassLoader()).evaluate(script);
    }

    static Row row() {
        return Row.of(
                "Groovy",
                "groovy",
                value("GString", () -> run("def x = 'ada'; \"Hello ${x}\""), Object::toString),
                value("list, map and range", () -> run("[1, [a: 2], 3..5]")),
                value("tuple", () -> run("Tuple.tuple('a', 1)")),
                value("flash map", () -> run("def x = 7; [message: \"Saved ${x}\"]"), Object::toString),
                value("BigDecimal literal", () -> run("[1.10, 2g]")),
                value(
                        "MissingPropertyException",
                        () -> new MissingPropertyException("x", String.class),
                        Throwable::toString),
                code("method closure", () -> run("''.&concat"))
                        .lostByJdk(
                                "org.codehaus.groovy.runtime.MethodClosure is known",
                                "Groovy itself refuses to read it"));
    }
}
