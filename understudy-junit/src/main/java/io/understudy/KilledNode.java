package io.understudy;

/** Kills nodes in this JVM. In this package, as applications must not be able to. */
public final class KilledNode {

    private KilledNode() {}

    /**
     * Ends a node as a kill of its process does: connections break, nothing that it had not sent leaves any more, and no
     * goodbye. The other members have to detect it. What the node has in this JVM is given back.
     */
    public static void kill(Understudy node) {
        node.cut();
    }
}
