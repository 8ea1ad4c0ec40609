package io.understudy.contract;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Ways to end a response, each with a change of the session that its client must not be ahead of. */
final class ResponseRows {

    /** An encoding in which a character can take more than four bytes. */
    private static final Charset ESCAPING = Charset.forName("ISO-2022-JP");

    private static final String ESCAPED = "\u3042a".repeat(4);

    private static final int LONG = 300_000;

    /** Tells whoever waits for it, and changes the session. */
    @FunctionalInterface
    interface Change {
        void in(HttpServletRequest request);
    }

    /** Serves a request, in which it makes the change once. */
    @FunctionalInterface
    interface Page {
        void serve(HttpServletRequest request, HttpServletResponse response, Change change) throws Exception;
    }

    /** @param body {@code null}: the container's */
    record Row(int status, @Nullable String body, Page page) {}

    private static final String CHANGE = "change";

    private final Map<String, Row> rows = new LinkedHashMap<>();
    private final String donePage;

    ResponseRows(Tasks tasks) {
        donePage = tasks.add(ResponseRows::done);
        written();
        lengths();
        dispatched();
        ends();
        asynchronous();
    }

    Map<String, Row> all() {
        return rows;
    }

    /** The page for errors. */
    String donePage() {
        return donePage;
    }

    private void done(String name, Page page) {
        rows.put(name, new Row(200, "done", page));
    }

    private void written() {
        done("returned from", (request, response, change) -> {
            change.in(request);
            response.getWriter().print("done");
        });
        done("flushed", (request, response, change) -> {
            change.in(request);
            response.getWriter().print("done");
            response.flushBuffer();
        });
        done("whose writer is closed", (request, response, change) -> {
            change.in(request);
            try (PrintWriter writer = response.getWriter()) {
                writer.print("done");
            }
        });
        done("whose stream is closed", (request, response, change) -> {
            change.in(request);
            try (OutputStream stream = response.getOutputStream()) {
                stream.write("done".getBytes(StandardCharsets.US_ASCII));
            }
        });
        done("changed after its head", (request, response, change) -> {
            response.getWriter().print("do");
            response.flushBuffer();
            change.in(request);
            response.getWriter().print("ne");
        });
        done("changed after its head, and closed", (request, response, change) -> {
            response.flushBuffer();
            change.in(request);
            try (PrintWriter writer = response.getWriter()) {
                writer.print("done");
            }
        });
        rows.put("larger than all buffers", new Row(200, "x".repeat(LONG), (request, response, change) -> {
            change.in(request);
            response.getWriter().print("x".repeat(LONG));
        }));
    }

    private void lengths() {
        done("of bytes of the length that was told", (request, response, change) -> {
            change.in(request);
            response.setContentLength(4);
            response.getOutputStream().write("done".getBytes(StandardCharsets.US_ASCII));
            response.flushBuffer();
        });
        rows.put("of text of the length that was told", new Row(200, "dönö", (request, response, change) -> {
            change.in(request);
            response.setContentType("text/plain;charset=UTF-8");
            response.setHeader("Content-Length", "6");
            response.getWriter().print("dö");
            response.getWriter().print("nö");
            response.flushBuffer();
        }));
        rows.put("of text with escape sequences", new Row(200, ESCAPED, (request, response, change) -> {
            change.in(request);
            response.setContentType("text/plain;charset=" + ESCAPING.name());
            response.setContentLength(ESCAPED.getBytes(ESCAPING).length);
            response.getWriter().print(ESCAPED);
            response.flushBuffer();
        }));
        rows.put(
                "of text with escape sequences before its length",
                new Row(200, ESCAPED, (request, response, change) -> {
                    change.in(request);
                    response.setContentType("text/plain;charset=" + ESCAPING.name());
                    response.getWriter().print(ESCAPED);
                    response.setContentLength(ESCAPED.getBytes(ESCAPING).length);
                    response.flushBuffer();
                }));
        done("whose length is reached after its head", (request, response, change) -> {
            response.setContentLengthLong(4);
            response.getOutputStream().print("do");
            response.flushBuffer();
            change.in(request);
            response.getOutputStream().print("ne");
        });
        done("of the length that is told after its bytes", (request, response, change) -> {
            change.in(request);
            response.getOutputStream().write("done".getBytes(StandardCharsets.US_ASCII));
            response.setContentLength(4);
            response.flushBuffer();
        });
        rows.put("of length 0", new Row(200, "", (request, response, change) -> {
            change.in(request);
            response.setContentLength(0);
            response.flushBuffer();
        }));
        rows.put("without content", new Row(204, "", (request, response, change) -> {
            change.in(request);
            response.setStatus(204);
            response.flushBuffer();
        }));
        rows.put("that resets the content", new Row(205, "", (request, response, change) -> {
            change.in(request);
            response.setStatus(205);
            response.flushBuffer();
        }));
        rows.put("redirected", new Row(302, "", (request, response, change) -> {
            change.in(request);
            response.sendRedirect("/elsewhere");
        }));
    }

    private void dispatched() {
        done("forwarded", (request, response, change) -> {
            change.in(request);
            request.getRequestDispatcher(donePage).forward(request, response);
        });
        done("forwarded in a wrapper", (request, response, change) -> {
            change.in(request);
            request.getRequestDispatcher(donePage).forward(request, new HttpServletResponseWrapper(response));
        });
        done("included", (request, response, change) -> {
            change.in(request);
            request.getRequestDispatcher(donePage).include(request, response);
        });
        rows.put("sent as an error", new Row(404, null, (request, response, change) -> {
            change.in(request);
            response.sendError(404);
        }));
        rows.put(
                "sent as an error that has a page",
                new Row(Application.ERROR_STATUS, "done", (request, response, change) -> {
                    change.in(request);
                    response.sendError(Application.ERROR_STATUS);
                }));
        rows.put(
                "whose error page changes it",
                new Row(Application.ERROR_STATUS, "done", (request, response, change) -> {
                    request.setAttribute(CHANGE, change);
                    response.sendError(Application.ERROR_STATUS);
                }));
        rows.put("thrown", new Row(500, "done", (request, response, change) -> {
            change.in(request);
            throw new IllegalStateException("on purpose");
        }));
        done("forwarded to what changes it", (request, response, change) -> {
            request.setAttribute(CHANGE, change);
            request.getRequestDispatcher(donePage).forward(request, response);
        });
    }

    private void ends() {
        done("that ends the session", (request, response, change) -> {
            change.in(request); // Before: the end of a session waits for the other member's word.
            request.getSession(false).invalidate();
            try (PrintWriter writer = response.getWriter()) {
                writer.print("done");
            }
        });
        done("that ends the session, and is closed by another thread", (request, response, change) -> {
            change.in(request);
            request.getSession(false).invalidate();
            AsyncContext async = request.startAsync();
            async.start(() -> {
                try (PrintWriter writer = response.getWriter()) {
                    writer.print("done");
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                async.complete();
            });
        });
        done("that changes the id", (request, response, change) -> {
            request.changeSessionId();
            change.in(request);
            try (PrintWriter writer = response.getWriter()) {
                writer.print("done");
            }
        });
    }

    private void asynchronous() {
        done("completed by another thread", (request, response, change) -> {
            request.getSession(false);
            AsyncContext async = request.startAsync();
            async.start(() -> {
                change.in(request);
                print(response);
                async.complete();
            });
        });
        done("completed by another thread that closes it", (request, response, change) -> {
            request.getSession(false);
            AsyncContext async = request.startAsync();
            async.start(() -> {
                change.in(request);
                try (PrintWriter writer = response.getWriter()) {
                    writer.print("done");
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                async.complete();
            });
        });
        done("dispatched by another thread", (request, response, change) -> {
            AsyncContext async = request.startAsync();
            request.setAttribute(CHANGE, change);
            async.start(() -> async.dispatch(donePage));
        });
        done("completed at once", (request, response, change) -> {
            AsyncContext async = request.startAsync();
            change.in(request);
            print(response);
            async.complete();
        });
    }

    /** The page that answers "done", and makes the change that was left to it. */
    private static void done(HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (request.getAttribute(CHANGE) instanceof Change left) {
            left.in(request);
        }
        response.getWriter().print("done");
    }

    private static void print(HttpServletResponse response) {
        try {
            response.getWriter().print("done");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
