package io.understudy.doctor;

import io.understudy.codec.AttributeCodec;
import io.understudy.doctor.findings.Finding;
import io.understudy.doctor.findings.Kind;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Examines sessions of one application in development: would another node decode the same as this node has?
 *
 * <p>Replication stays as it is: values are encoded and decoded once more, and compared with the copies. That runs the
 * serialization methods of the application's classes, and equals and hashCode of its objects. On the originals it calls
 * only equals, and hashCode if they are in a hash table already. Nothing is thrown to the caller.
 *
 * <p>Threads: any; to be called in request threads.
 */
public final class SessionDoctor {

    private final Supplier<ClassLoader> loader;
    private final Findings findings;
    private final Examination examination;
    private volatile @Nullable SessionRegistries registries;

    /**
     * @param label the application's name and the node's, for the log
     * @param codec the application's
     * @param loader gives the application's class loader, which is that of the thread while it examines
     * @param maxAttributeBytes above which an attribute stays on its node
     * @param maxSessionBytes the same for all attributes of a session
     */
    public SessionDoctor(
            String label,
            AttributeCodec codec,
            Supplier<ClassLoader> loader,
            int maxAttributeBytes,
            int maxSessionBytes) {
        this.loader = loader;
        this.findings = new Findings(label);
        this.examination = new Examination(codec, findings, maxAttributeBytes, maxSessionBytes);
    }

    /**
     * From now on, looks for registries that need the ends of sessions on all nodes. For applications whose listeners run only
     * on the node that ends a session.
     *
     * @param contextAttributes gives the values of the attributes of the application's servlet context
     */
    public void endsOnce(Supplier<? extends Collection<?>> contextAttributes) {
        registries = new SessionRegistries(contextAttributes);
    }

    /**
     * Examines a session at the end of a request.
     *
     * @param attributes those whose objects are on this node
     * @param otherBytes of all its other attributes, encoded
     */
    public void examine(List<Examined> attributes, long otherBytes) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try {
            thread.setContextClassLoader(loader.get());
            examination.of(attributes, otherBytes);
            examineRegistries();
        } catch (RuntimeException | Error e) { // An error, too, would be the doctor's and not the request's.
            findings.failed("a session", e);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private void examineRegistries() {
        SessionRegistries looking = registries;
        try {
            if (looking != null && looking.found()) {
                findings.add(
                        "",
                        -1,
                        new Symptom(
                                Kind.LOCAL_REGISTRY,
                                Path.attribute(""),
                                SessionRegistries.SPRING_REGISTRY,
                                "maximumSessions of Spring Security counts a user's sessions in the memory of this node: "
                                        + "a session that ends on another node still counts here"));
            }
        } catch (ReflectiveOperationException | RuntimeException | Error e) {
            findings.failed("the application's registries of sessions", e);
        }
    }

    /** What was found so far, each cause once, in that order; 1000 at most. */
    public List<Finding> findings() {
        return findings.all();
    }

    /** How often an attribute, or a session, could not be examined; the log has the reason. */
    public long failures() {
        return findings.failures();
    }

    /** The largest encoded size, in bytes, that attributes of each name had; with the empty name, that sessions had. */
    public Map<String, Long> sizes() {
        return findings.sizes();
    }
}
