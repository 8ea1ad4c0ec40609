package io.understudy.junit.samples;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * No fault: responses that end when another request came, to whichever node. {@code /events} is a stream of a thread,
 * {@code /poll} an asynchronous response, and {@code /endless} an asynchronous stream without an end.
 */
@WebServlet(value = "/*", asyncSupported = true)
public final class CleanStreams extends HttpServlet {

    private static final int SECONDS = 20;

    /** All nodes of the JVM share it, as a message broker. */
    private static Semaphore broker(String topic) {
        return (Semaphore)
                System.getProperties().computeIfAbsent("io.understudy.junit.samples" + topic, name -> new Semaphore(0));
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        request.getSession().setAttribute("user", "ann");
        String path = String.valueOf(request.getPathInfo());
        switch (path) {
            case "/events" -> {
                PrintWriter events = begin(response);
                await(path);
                events.print("data: last\n\n");
            }
            case "/poll" -> {
                AsyncContext context = request.startAsync();
                context.start(() -> poll(context, path));
            }
            case "/endless" -> {
                request.startAsync().setTimeout(0);
                PrintWriter unused = begin(response);
            }
            default -> {
                broker(String.valueOf(request.getParameter("ends"))).release();
                response.getWriter().print("page of ann");
            }
        }
    }

    private static PrintWriter begin(HttpServletResponse response) throws IOException {
        response.setContentType("text/event-stream;charset=UTF-8");
        PrintWriter events = response.getWriter();
        events.print("data: first\n\n");
        events.flush();
        return events;
    }

    private static void poll(AsyncContext context, String path) {
        try {
            await(path);
            context.getResponse().getWriter().print("polled");
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } finally {
            context.complete();
        }
    }

    private static void await(String topic) throws IOException {
        try {
            if (!broker(topic).tryAcquire(SECONDS, TimeUnit.SECONDS)) {
                throw new IOException("nobody ended " + topic);
            }
        } catch (InterruptedException e) {
            throw new IOException("interrupted", e);
        }
    }
}
