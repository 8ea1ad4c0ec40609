package io.understudy.demo.launcher.frontdoor;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which node a request goes to. Pure. */
final class Route {

    /** Holds the name of the node that answered last. The front door's own: the nodes know nothing of it. */
    static final String COOKIE = "understudy-route";

    private Route() {}

    /**
     * The node of the cookie while it is ready; else one of the ready ones, in turn.
     *
     * @param cookie the cookie's value, if there is one
     * @param tried nodes this request already failed on
     * @param turn a growing number: spreads what has no node, and what lost it, evenly
     * @return {@code null} if no node is left
     */
    static <B extends Backend> @Nullable B choose(List<B> all, @Nullable String cookie, Set<Backend> tried, int turn) {
        List<B> ready = all.stream()
                .filter(node -> node.ready() && !tried.contains(node))
                .toList();
        for (B node : ready) {
            if (node.name().equals(cookie)) {
                return node;
            }
        }
        return ready.isEmpty() ? null : ready.get(Math.floorMod(turn, ready.size()));
    }
}
