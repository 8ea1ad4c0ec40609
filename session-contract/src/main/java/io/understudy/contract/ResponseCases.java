package io.understudy.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.OutputStream;
import java.io.PrintWriter;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** When the client has the whole response, what the request changed is there, however the response was written. */
final class ResponseCases {

    private static final int ROUNDS = 6;
    private static final int LONG = 300_000;

    private ResponseCases() {}

    /** Writes responses of all sorts, after the change. */
    private static Map<String, Task> writers() {
        Map<String, Task> writers = new LinkedHashMap<>();
        writers.put("nothing", (request, response) -> {});
        writers.put("a short text", (request, response) -> response.getWriter().print("body"));
        writers.put("a long text", (request, response) -> response.getWriter().print("x".repeat(LONG)));
        writers.put("bytes", (request, response) -> response.getOutputStream().write(new byte[LONG]));
        writers.put("a text that is flushed", (request, response) -> {
            response.getWriter().print("body");
            response.flushBuffer();
            response.getWriter().print("more");
        });
        writers.put("a text whose writer is closed", (request, response) -> {
            try (PrintWriter writer = response.getWriter()) {
                writer.print("body");
            }
        });
        writers.put("bytes whose stream is closed", (request, response) -> {
            try (OutputStream stream = response.getOutputStream()) {
                stream.write(1);
            }
        });
        writers.put("bytes of a length that was told", (request, response) -> {
            response.setContentLength(4);
            response.getOutputStream().write("body".getBytes(StandardCharsets.US_ASCII));
        });
        writers.put("a text of a length that was told", (request, response) -> {
            response.setContentLengthLong(4);
            response.getWriter().print("body");
            response.getWriter().flush();
        });
        writers.put("long bytes of a length that was told", (request, response) -> {
            response.setHeader("Content-Length", "" + LONG);
            response.getOutputStream().write(new byte[LONG]);
        });
        writers.put("no content", (request, response) -> response.setStatus(204));
        writers.put("not modified", (request, response) -> response.setStatus(304));
        writers.put("a redirect", (request, response) -> response.sendRedirect("/elsewhere"));
        writers.put("an error", (request, response) -> response.sendError(404));
        writers.put("an error with text", (request, response) -> response.sendError(503, "later"));
        return writers;
    }

    static Cases all() {
        Cases cases = new Cases();
        writers()
                .forEach((name, writer) -> cases.add("what was changed before " + name + " is there", visit -> {
                    Client client = visit.client();
                    client.run((request, response) ->
                            request.getSession().setAttribute("list", new ArrayList<>(List.of(0))));
                    for (int i = 1; i <= ROUNDS; i++) {
                        int round = i;
                        client.send((request, response) -> {
                            list(request.getSession(false).getAttribute("list")).add(round);
                            request.getSession(false).setAttribute("round", round);
                            writer.run(request, response);
                        });
                        client.expect(
                                round + " " + (round + 1),
                                request -> request.getSession(false).getAttribute("round") + " "
                                        + list(request.getSession(false).getAttribute("list"))
                                                .size());
                    }
                }));
        return cases.add("what is changed after a flush is there", visit -> {
                    Client client = visit.client();
                    client.run((request, response) -> request.getSession().setAttribute("round", 0));
                    for (int i = 1; i <= ROUNDS; i++) {
                        int round = i;
                        client.send((request, response) -> {
                            response.getWriter().print("body");
                            response.flushBuffer();
                            request.getSession(false).setAttribute("round", round);
                            response.getWriter().print("more");
                        });
                        client.expect(
                                round, request -> request.getSession(false).getAttribute("round"));
                    }
                })
                .add("what is changed after a long text was written is there", visit -> {
                    Client client = visit.client();
                    client.run((request, response) -> request.getSession().setAttribute("round", 0));
                    for (int i = 1; i <= ROUNDS; i++) {
                        int round = i;
                        client.send((request, response) -> {
                            response.getWriter().print("x".repeat(LONG));
                            request.getSession(false).setAttribute("round", round);
                        });
                        client.expect(
                                round, request -> request.getSession(false).getAttribute("round"));
                    }
                })
                .add("what a HEAD request changed is there", visit -> {
                    Client client = visit.client();
                    client.run((request, response) -> request.getSession());
                    client.head(visit.page((request, response) -> {
                        request.getSession(false).setAttribute("a", request.getMethod());
                        response.getWriter().print("body");
                    }));
                    client.expect("HEAD", request -> request.getSession(false).getAttribute("a"));
                })
                .add("what a POST request changed is there", visit -> {
                    Client client = visit.client();
                    client.run((request, response) -> request.getSession());
                    HttpResponse<String> response = client.post(
                            visit.page((request, answer) ->
                                    request.getSession(false).setAttribute("a", request.getParameter("name"))),
                            "name=posted");
                    assertEquals(200, response.statusCode());
                    client.expect("posted", request -> request.getSession(false).getAttribute("a"));
                });
    }

    @SuppressWarnings("unchecked")
    private static List<Integer> list(Object attribute) {
        return (List<Integer>) attribute;
    }
}
