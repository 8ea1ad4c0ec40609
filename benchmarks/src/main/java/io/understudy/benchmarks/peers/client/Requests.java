package io.understudy.benchmarks.peers.client;

/** What clients ask for again and again. */
public enum Requests {
    /** Each changes one attribute. */
    CHANGES("changes"),
    /** The same, and the application sets Content-Length: its last write ends the response. */
    CHANGES_LENGTH("changes with the length set"),
    /** Each reads one attribute, a string. */
    STRINGS("reads of a string"),
    /** Each reads one attribute, a list of 20 objects that the application could change. */
    CART("reads of a cart");

    private final String label;

    Requests(String label) {
        this.label = label;
    }

    /** As in names of rounds. */
    public String label() {
        return label;
    }

    /** Whether nothing is changed. */
    public boolean reads() {
        return this == STRINGS || this == CART;
    }
}
