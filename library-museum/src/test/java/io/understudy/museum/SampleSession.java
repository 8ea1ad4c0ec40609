package io.understudy.museum;

import io.understudy.testkit.Browser;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A client whose session has the objects of one sample. Threads: one. */
final class SampleSession {

    private final String sample;
    private final String refusal;
    private final Browser browser = new Browser();

    /** How often each attribute was looked at. */
    private final Map<String, Integer> looks = new LinkedHashMap<>();

    private final List<String> faults = new ArrayList<>();
    private @Nullable ServerProcess maker;

    /** @param refusal text that a node's refusal has; empty if the objects have to be replicated */
    SampleSession(String sample, String refusal) {
        this.sample = sample;
        this.refusal = refusal;
    }

    /** The samples that a node has. */
    static List<SampleSession> of(ServerProcess node) {
        return new Browser()
                .get(node, "/samples")
                .lines()
                .map(line -> line.split("\t", -1))
                .map(line -> new SampleSession(line[0], line[1]))
                .toList();
    }

    String sample() {
        return sample;
    }

    /** What was not as it should be, with the node and the step; empty if all was. */
    List<String> faults() {
        return faults;
    }

    private boolean refused() {
        return !refusal.isEmpty();
    }

    /** Sets an object that the node makes. A node that refuses it counts and logs that. */
    void set(ServerProcess node, String attribute) {
        long before = refused() ? node.figure("attributes_not_replicated") : 0;
        expect("", node, "/set?sample=" + encoded(sample) + "&to=" + attribute);
        looks.put(attribute, 0);
        maker = node;
        if (refused()) {
            check(node, node.figure("attributes_not_replicated") > before, "counts no attribute as not replicated");
            check(
                    node,
                    node.log()
                            .lines()
                            .filter(line -> line.contains("stays on this node"))
                            .anyMatch(line -> line.contains(refusal)),
                    "logs no refusal with " + refusal);
        }
    }

    /** Judges an attribute on the node, and sets what is there as another attribute, too. */
    void pass(ServerProcess node, String from, String to) {
        if (refused()) {
            lookInVain(node);
            return;
        }
        look(node, List.of(from), "&to=" + to);
        looks.put(to, looks.get(from));
    }

    /** Judges all attributes on the node. */
    void look(ServerProcess node) {
        if (refused()) {
            lookInVain(node);
            return;
        }
        look(node, List.copyOf(looks.keySet()), "");
    }

    private void look(ServerProcess node, List<String> attributes, String more) {
        StringBuilder query = new StringBuilder("/look?sample=").append(encoded(sample));
        for (String attribute : attributes) {
            int before = looks.merge(attribute, 1, Integer::sum) - 1;
            query.append("&at=").append(attribute).append("&looks=").append(before);
        }
        expect("", node, query + more);
    }

    /** A node has the session, and nothing of what another one refused to replicate. */
    private void lookInVain(ServerProcess node) {
        if (node == maker) {
            return;
        }
        String attribute = looks.keySet().iterator().next();
        expect("no attribute " + attribute, node, "/look?sample=" + encoded(sample) + "&at=" + attribute + "&looks=0");
    }

    private void expect(String expected, ServerProcess node, String page) {
        String found = browser.get(node, page);
        check(node, found.equals(expected), "expected '" + expected + "', found '" + found + "' at " + page);
    }

    private void check(ServerProcess node, boolean good, String fault) {
        if (!good) {
            faults.add(node + ": " + fault);
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
