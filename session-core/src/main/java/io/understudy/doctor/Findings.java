package io.understudy.doctor;

import io.understudy.doctor.findings.Finding;
import io.understudy.doctor.findings.Kind;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What was found in an application's sessions on this node, and how large their attributes are. Each cause is logged and
 * kept once; 1000 at most.
 *
 * <p>Threads: any; guarded by this.
 */
final class Findings {

    /** The name is part of what users configure. */
    static final String LOGGER = "io.understudy.doctor";

    private static final Logger LOG = System.getLogger(LOGGER);

    /** Of causes, and of attributes with their sizes. */
    private static final int MAX = 1000;

    private final String label;
    private final Set<String> known = new HashSet<>();
    private final List<Finding> findings = new ArrayList<>();
    private final Map<String, Long> sizes = new TreeMap<>();
    private long failures;

    /** @param label the application's name and the node's, for the log */
    Findings(String label) {
        this.label = label;
    }

    /** Whether this was not asked before, and there is room to remember it. */
    synchronized boolean firstTime(String cause) {
        return known.size() < MAX && known.add(cause);
    }

    void add(String attribute, int bytes, Symptom symptom) {
        if (!firstTime(attribute + " " + symptom.cause())) {
            return;
        }
        Finding finding = new Finding(
                label, attribute, bytes, symptom.path().toString(), symptom.kind(), symptom.type(), symptom.text());
        synchronized (this) {
            findings.add(finding);
        }
        Level level = symptom.kind() == Kind.TRANSIENT ? Level.INFO : Level.WARNING;
        LOG.log(level, "{0} - session doctor: {1}", label, finding);
    }

    /** Tells, once for each cause, that something could not be examined. */
    void failed(String what, Throwable failure) {
        synchronized (this) {
            failures++;
        }
        if (firstTime("failed " + what + " " + failure.getClass().getName())) {
            LOG.log(
                    Level.WARNING,
                    "{0} - session doctor could not examine {1}: {2}; the request and what is replicated are not affected",
                    label,
                    what,
                    failure.toString());
        }
    }

    /** Notes the size of an attribute; of a session as a whole with the empty name. */
    synchronized void size(String attribute, long bytes) {
        if (sizes.size() < MAX || sizes.containsKey(attribute)) {
            sizes.merge(attribute, bytes, Math::max);
        }
    }

    /** How often something could not be examined. */
    synchronized long failures() {
        return failures;
    }

    synchronized List<Finding> all() {
        return List.copyOf(findings);
    }

    /** The largest that each attribute was. */
    synchronized Map<String, Long> sizes() {
        return new TreeMap<>(sizes);
    }
}
