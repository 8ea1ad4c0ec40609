package io.understudy;

import io.understudy.metrics.Counter;
import io.understudy.store.SpillFigures;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What a node shows of itself, for the test kit. */
public final class NodeFigures {

    private NodeFigures() {}

    /** All counters and gauges by name. */
    public static Map<String, Long> of(Understudy node) {
        Map<String, Long> figures = new TreeMap<>(node.gauges());
        for (Counter counter : Counter.values()) {
            figures.put(counter.key(), node.metrics().value(counter));
        }
        return figures;
    }

    /** The gauges by name; some counters have the names of gauges. */
    public static Map<String, Long> momentary(Understudy node) {
        return node.gauges();
    }

    /** The files and directories with spilled attributes that the node knows of. */
    public static Set<Path> spillPaths(Understudy node) {
        return SpillFigures.paths(node.memory());
    }

    /** Bytes on disk that count as needed, and belong to no session of the node. */
    public static long spilledUnowned(Understudy node) {
        return SpillFigures.unowned(node.memory());
    }

    /** Sessions that requests of the node use. */
    public static long sessionsInUse(Understudy node) {
        return node.sessionsInUse();
    }

    /** Sessions and bytes that would be lost if the node died now. */
    public static long[] atRisk(Understudy node) {
        return new long[] {node.figures().sessionsAtRisk(), node.figures().bytesAtRisk()};
    }

    /** Largest encoded sizes of attributes that the session doctors of the node's applications saw, in bytes. */
    public static Map<String, Long> attributeSizes(Understudy node) {
        return node.attributeSizes();
    }

    /**
     * Whether all nodes of its view that have the application take a node for ready. They learn it after the node is
     * ready.
     *
     * @param nodes all there are, this one or not
     */
    public static boolean knownReady(Understudy node, String application, Collection<Understudy> nodes) {
        String name = node.config().nodeName();
        return nodes.stream()
                .filter(other -> other != node && other.connected())
                .filter(other -> node.view().contains(other.config().nodeName()))
                .map(other -> other.figures().holders().get(application))
                .allMatch(holders -> holders == null || holders.contains(name));
    }

    /** Whether these nodes, which are in one view, know of each other that they are ready for each application. */
    public static boolean allKnownReady(Collection<Understudy> nodes) {
        return nodes.stream()
                .allMatch(node -> node.figures().holders().keySet().stream()
                        .allMatch(application -> knownReady(node, application, nodes)));
    }

    /** Whether its view has so many members. */
    public static boolean viewHas(Understudy node, int members) {
        String view = node.view(); // A merged view has the numbers of those before it, too.
        return view.startsWith("(" + members + ")", view.indexOf('('));
    }

    /** The view, for people. */
    public static String view(Understudy node) {
        return node.view();
    }
}
