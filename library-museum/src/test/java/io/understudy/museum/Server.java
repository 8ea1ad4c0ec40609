package io.understudy.museum;

import java.nio.file.Path;

/** The container of a node. */
enum Server {
    TOMCAT("tomcat-.*", "io.understudy.museum.TomcatProgram"),
    JETTY("(jetty|jakarta.servlet-api)-.*", "io.understudy.museum.JettyProgram");

    private final String jars;
    private final String program;

    Server(String jars, String program) {
        this.jars = jars;
        this.program = program;
    }

    /** Whether only this one has the jar. */
    boolean has(Path jar) {
        return jar.getFileName().toString().matches(jars);
    }

    String program() {
        return program;
    }
}
