package io.understudy.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Runs a test of a web application several times, and fails if the application behaves differently when another node
 * continues its session. The test method takes a {@link FailoverServer} and sends its requests there:
 *
 * <pre>
 * &#64;FailoverTest(war = "target/shop.war")
 * void theCartSurvives(FailoverServer server) throws Exception {
 *     HttpClient browser = HttpClient.newBuilder().cookieHandler(new CookieManager()).build();
 *     browser.send(HttpRequest.newBuilder(server.uri("/cart?add=tea")).build(), BodyHandlers.ofString());
 *     browser.send(HttpRequest.newBuilder(server.uri("/cart")).build(), BodyHandlers.ofString());
 * }
 * </pre>
 *
 * <p>The first run is on one Tomcat that replicates nothing. Each {@linkplain #plans plan} is a further run, on two Tomcats
 * with Understudy in this JVM, each with classes of its own. After each request the kit notes the response, and the session
 * as the other node would continue it, to compare them with those of the first run. If something differs, a last run on one
 * Tomcat shows what differs each time, such as ids and dates. If anything else differs, this run fails: it names the first
 * difference, with the path to it in its attribute. A test that does not pass in the run of a plan fails that run, too.
 *
 * <p>Compared are the status, the body, the names of cookies, and the headers that describe the body or lead elsewhere.
 * Transient fields are not compared; the failure mentions them if a response differs.
 *
 * <p>The kit forwards responses as they come, over HTTP/1.1, and compares a response when it has ended. Requests of one
 * session that overlap and change it are not compared, as their order differs between runs: the log has a line about them.
 *
 * <p>Test methods take turns at the two nodes, also if JUnit runs
 * them in parallel. The nodes stay until the JVM ends.
 */
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@TestTemplate
@Execution(ExecutionMode.SAME_THREAD) // Each run is compared with those before it.
@ExtendWith(FailoverExtension.class)
public @interface FailoverTest {

    /**
     * The application: a WAR file, or a directory with {@code WEB-INF}, relative to the working directory of the test. Its
     * classes and libraries are those in {@code WEB-INF}. It sees none of the test's class path but the container.
     */
    String war() default "";

    /**
     * In place of {@link #war} the class that a Spring Boot 3 or 4 application with the embedded Tomcat starts with, usually
     * the one with {@code @SpringBootApplication}. Its {@code main} method is not called. Each node loads the classes of the
     * whole class path anew. The starter of Understudy is not necessary.
     */
    Class<?> application() default void.class;

    /** Properties of a Spring Boot {@link #application}, each as {@code name=value}. */
    String[] properties() default {};

    /**
     * Directories and jars with more classes of the application, such as {@code target/classes} for {@code war =
     * "src/main/webapp"}. Each node loads these anew. All else that the application needs is taken from the test's class
     * path, which the nodes share.
     */
    String[] classes() default {};

    /** Where a WAR is on its server: empty for the root, else a path such as {@code /shop}. */
    String contextPath() default "";

    /** How the nodes take turns; one run for each. */
    FailoverPlan[] plans() default FailoverPlan.SWITCH_AND_KILL;

    /**
     * Settings of Understudy for the application, each as {@code name=value}. Only those are possible that applications of
     * one node can have of their own, such as {@code coherence=incoherent}.
     */
    String[] settings() default {};

    /**
     * Places in attributes that may differ, as failures name them without indices and keys: {@code cart.items[].id}. What
     * they consist of may differ, too.
     */
    String[] ignore() default {};

    /**
     * Regular expressions ({@link java.util.regex.Pattern}) for bodies and headers of responses. The text that an
     * expression matches may differ. An example is {@code name="_csrf" value="[^"]*"}.
     */
    String[] ignoreInResponses() default {};
}
