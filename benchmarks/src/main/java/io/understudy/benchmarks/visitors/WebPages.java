package io.understudy.benchmarks.visitors;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.HttpSessionEvent;
import jakarta.servlet.http.HttpSessionListener;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

/**
 * The application of a {@link WebNode}: sessions with a value whose encoding takes 4 KB. Every second value takes
 * about 15 times as much as an object.
 */
final class WebPages extends HttpServlet {

    static final String RIGHT = "right";
    static final String NONE = "none";

    private static final long serialVersionUID = 1L;
    private static final int VALUE_BYTES = 4096;

    /** Encoded bytes of each such number in a list. */
    private static final int BYTES_OF_LONG = 2;

    private static final long LEAST = 1000;
    private static final long LARGEST = 8000;
    private static final String VALUE = "value";

    /** A slow listener, as one that calls another system. It keeps the ids of the sessions that ended. */
    static final class Listener implements HttpSessionListener {

        private final int millis;
        private final Queue<String> told = new ConcurrentLinkedQueue<>();

        Listener(int millis) {
            this.millis = millis;
        }

        @Override
        public void sessionDestroyed(HttpSessionEvent event) {
            told.add(event.getSession().getId().replaceAll("\\..*", ""));
            try {
                Thread.sleep(millis);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private final transient Listener listener;

    WebPages(Listener listener) {
        this.listener = listener;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.getWriter()
                .write(
                        switch (request.getServletPath()) {
                            case "/fill" -> fill(request);
                            case "/use" -> use(request);
                            case "/told" -> String.join("\n", listener.told);
                            case "/figures" -> "gc_ms=" + collecting() + " millis=" + uptime();
                            default -> throw new IOException("no page " + request.getServletPath());
                        });
    }

    private static String fill(HttpServletRequest request) {
        HttpSession session = request.getSession();
        session.setAttribute(VALUE, value(number(request)));
        session.setMaxInactiveInterval(Integer.parseInt(request.getParameter("idle")));
        return RIGHT;
    }

    private static String use(HttpServletRequest request) {
        HttpSession session = request.getSession(false);
        if (session == null) {
            return NONE;
        }
        Object value = value(number(request));
        Object held = session.getAttribute(VALUE);
        boolean right = (held instanceof byte[] bytes && value instanceof byte[] expected)
                ? Arrays.equals(bytes, expected)
                : value.equals(held);
        return right ? RIGHT : "wrong";
    }

    private static int number(HttpServletRequest request) {
        return Integer.parseInt(request.getParameter("number"));
    }

    private static Object value(int number) {
        SplittableRandom random = new SplittableRandom(number);
        if (number % 4 < 2) { // Of either kind half begin on each node.
            byte[] value = new byte[VALUE_BYTES];
            random.nextBytes(value);
            return value;
        }
        return random.longs(VALUE_BYTES / BYTES_OF_LONG, LEAST, LARGEST)
                .boxed()
                .collect(Collectors.toCollection(ArrayList::new));
    }

    private static long collecting() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                .sum();
    }

    private static long uptime() {
        return ManagementFactory.getRuntimeMXBean().getUptime();
    }
}
