package io.understudy.junit;

import org.apache.catalina.Manager;

/** The application of a test. Threads: any. */
interface Application {

    /**
     * Starts a server with the application, whose classes are loaded anew.
     *
     * @param name of the server in reports
     * @param manager of its sessions
     * @throws IllegalStateException if the application does not start
     */
    TomcatServer start(String name, Manager manager);

    /**
     * The application that a test names.
     *
     * @throws IllegalArgumentException if the annotation names none, two, or something that is not there
     */
    static Application of(FailoverTest test) {
        boolean boot = test.application() != void.class;
        if (boot == !test.war().isEmpty()) {
            throw new IllegalArgumentException("@FailoverTest has " + (boot ? "both 'war' and" : "neither 'war' nor")
                    + " 'application': expected one of the two, which is run on each node");
        }
        return boot ? BootApplication.of(test) : WarApplication.of(test);
    }
}
