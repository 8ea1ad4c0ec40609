package io.understudy.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.metrics.Counter;
import io.understudy.testkit.Await;
import io.understudy.testkit.Browser;
import io.understudy.testkit.faults.Cluster;
import io.understudy.testkit.faults.Fault;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.lang.management.MonitorInfo;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What only Tomcat does of {@code AcknowledgementContract}: the client has not all of a response before the other
 * member has the change.
 */
@Tag("container")
class BarrierIT {

    private static final Semaphore CHANGED = new Semaphore(0);

    private static volatile long pageThread;

    private static Cluster cluster;
    private static List<TomcatNode> nodes;
    private static TomcatNode node;

    private final Browser browser = new Browser();

    @BeforeAll
    static void start() {
        cluster = Cluster.of(2, Map.of());
        nodes = TomcatNode.start(cluster, 2, pages());
        node = nodes.get(0);
    }

    @AfterAll
    static void stop() {
        nodes.forEach(TomcatNode::close);
        cluster.close();
    }

    @ParameterizedTest
    @CsvSource({"/secured, login", "/mutated, done"})
    void theResponseWaitsForTheOtherMember(String path, String body) throws Exception {
        assertEquals("done", browser.get(node, "/returned"));
        CHANGED.drainPermits();
        CompletableFuture<HttpResponse<String>> response;
        long degraded = degraded();
        Fault paused = cluster.pause(1);
        try {
            response = browser.start(node, path);
            assertTrue(CHANGED.tryAcquire(Await.LIMIT.toSeconds(), TimeUnit.SECONDS), "the page ran");
            HeldResponse.assertHeld(node, response, degraded);
        } finally {
            paused.close();
        }
        assertEquals(
                200, response.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS).statusCode());
        assertEquals(body, response.get().body());
    }

    @Test
    void theResponseToHeadWaitsWithItsHeaders() throws Exception {
        assertEquals("done", browser.get(node, "/returned"));
        CHANGED.drainPermits();
        CompletableFuture<HttpResponse<String>> response;
        long degraded = degraded();
        Fault paused = cluster.pause(1);
        try {
            response = browser.startHead(node, "/flushed");
            assertTrue(CHANGED.tryAcquire(Await.LIMIT.toSeconds(), TimeUnit.SECONDS), "the page ran");
            HeldResponse.assertHeld(node, response, degraded);
        } finally {
            paused.close();
        }
        assertEquals(
                200, response.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS).statusCode());
    }

    @Test
    void theWriterPrintsAsEachOtherDoes() {
        StringWriter expected = new StringWriter();
        print(new PrintWriter(expected));
        assertEquals(expected.toString(), browser.get(node, "/printed"));
    }

    /** What the methods of a writer have in common is that applications call them with nulls, too. */
    private static void print(PrintWriter writer) {
        writer.print((String) null);
        writer.print((Object) null);
        writer.println((String) null);
        writer.println((Object) null);
        writer.append(null).append('c').append("abc", 1, 2);
        writer.printf((Locale) null, "%d ", 1000);
        writer.printf(Locale.GERMANY, "%.1f ", 1.5);
        writer.format("%s ", (Object) null);
        writer.write("xyz", 1, 1);
        writer.write('q');
        writer.write(new char[] {'a', 'b', 'c'}, 1, 2);
        writer.print(true);
        writer.print(new char[] {'\u00fc'});
        writer.println('c');
        writer.println(1);
        writer.println(2L);
        writer.println(1.5f);
        writer.println(2.5);
        writer.println(false);
        writer.println(new char[] {'d'});
        writer.println(List.of("a"));
        writer.println();
        writer.close();
        writer.print("after its end");
        writer.println(writer.checkError());
    }

    /** On Java 21 to 23 a virtual thread that waits in a monitor keeps its carrier. */
    @ParameterizedTest
    @ValueSource(strings = {"print", "println", "printf", "flush", "close"})
    void theWriterHoldsNoMonitorWhileItWaits(String method) throws Exception {
        assertEquals("done", browser.get(node, "/returned"));
        CHANGED.drainPermits();
        CompletableFuture<HttpResponse<String>> response;
        List<String> monitors;
        Fault paused = cluster.pause(1);
        try {
            response = browser.start(node, "/written?by=" + method);
            assertTrue(CHANGED.tryAcquire(Await.LIMIT.toSeconds(), TimeUnit.SECONDS), "the page ran");
            monitors = monitorsOfWriter();
        } finally {
            paused.close();
        }
        assertEquals(
                "done",
                response.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS).body().strip());
        assertEquals(List.of(), monitors);
    }

    /** Once the page's thread waits for the other member. */
    private static List<String> monitorsOfWriter() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        AtomicReference<ThreadInfo> page = new AtomicReference<>();
        Await.until(Await.LIMIT, () -> "no wait in " + page.get(), () -> {
            ThreadInfo info = threads.getThreadInfo(new long[] {pageThread}, true, false)[0];
            page.set(info);
            return info.getThreadState() == Thread.State.TIMED_WAITING
                    && Arrays.toString(info.getStackTrace()).contains("BarrierWriter");
        });
        return Arrays.stream(page.get().getLockedMonitors())
                .filter(monitor -> monitor.getLockedStackFrame().getClassName().endsWith("Writer"))
                .map(MonitorInfo::toString)
                .toList();
    }

    private static long degraded() {
        return node.understudy().metrics().value(Counter.RESPONSES_DEGRADED);
    }

    private static Pages pages() {
        return new Pages()
                .with(LoginIT::secure)
                .on("/login", (request, response) -> {
                    CHANGED.release(); // The authenticator noted what it interrupted.
                    response.setContentLength(5);
                    response.getWriter().print("login");
                    response.flushBuffer();
                })
                .on("/returned", (request, response) -> {
                    change(request);
                    response.getWriter().print("done");
                })
                .on("/flushed", (request, response) -> {
                    change(request);
                    response.getWriter().print("done");
                    response.flushBuffer();
                })
                .on("/printed", (request, response) -> {
                    response.setCharacterEncoding("UTF-8");
                    print(response.getWriter());
                })
                .on("/written", (request, response) -> {
                    pageThread = Thread.currentThread().getId();
                    change(request);
                    write(response, request.getParameter("by"));
                })
                .on("/mutated", (request, response) -> {
                    ((int[]) request.getSession().getAttribute("numbers"))[0]++;
                    CHANGED.release();
                    try (PrintWriter writer = response.getWriter()) {
                        writer.print("done");
                    }
                });
    }

    /** Four bytes, the last step of which is the named one. */
    private static void write(HttpServletResponse response, String last) throws IOException {
        PrintWriter writer = response.getWriter();
        switch (last) {
            case "print" -> {
                response.setContentLength("done".length());
                writer.print("done");
            }
            case "println" -> {
                response.setContentLength(
                        "done".length() + System.lineSeparator().length());
                writer.println("done");
            }
            case "printf" -> {
                response.setContentLength("done".length());
                writer.printf("do%s", "ne");
            }
            case "flush" -> {
                writer.print("done");
                response.setContentLength("done".length());
                writer.flush();
            }
            default -> {
                writer.print("done");
                writer.close();
            }
        }
    }

    private static void change(HttpServletRequest request) {
        request.getSession().setAttribute("changed", System.nanoTime());
        if (request.getSession().getAttribute("numbers") == null) {
            request.getSession().setAttribute("numbers", new int[1]);
        }
        CHANGED.release();
    }
}
