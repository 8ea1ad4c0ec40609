package io.understudy.demo.launcher.cluster;

/** An action does not fit a node's state; the message names both. */
public final class Refused extends Exception {

    private static final long serialVersionUID = 1L;

    public Refused(String message) {
        super(message);
    }
}
