package io.understudy.expiry;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The messages of {@link EndWorld} that are on their way: those of one link arrive in order. */
final class Traffic {

    /** No link without a message. */
    private final Map<Link, Deque<Object>> links = new TreeMap<>();

    boolean none() {
        return links.isEmpty();
    }

    /** Those with a message. */
    Set<Link> links() {
        return links.keySet();
    }

    void send(Link link, Object message) {
        links.computeIfAbsent(link, first -> new ArrayDeque<>()).add(message);
    }

    Object take(Link link) {
        Deque<Object> messages = links.get(link);
        Object message = messages.remove();
        if (messages.isEmpty()) {
            links.remove(link);
        }
        return message;
    }

    void lose(Link link) {
        links.remove(link);
    }

    void loseAllTo(int member) {
        links.keySet().removeIf(link -> link.to() == member);
    }

    @Override
    public String toString() {
        return links.toString();
    }
}
