package io.understudy.museum.library;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;

/**
 * An application that has all libraries. Its pages set the objects of one sample as attributes of a session, and judge
 * what is there. A page is empty if all is as it was, else it is the difference.
 *
 * <p>Threads: one request at a time, as what the libraries start is for one thread.
 */
public final class LibraryServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;

    private final transient Map<String, Sample> samples = new LinkedHashMap<>();

    @Override
    public void init() throws ServletException {
        try {
            samples.putAll(Rows.start());
        } catch (Exception e) {
            throw new ServletException("a library does not start", e);
        }
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setContentType("text/plain;charset=UTF-8");
        response.getWriter().print(page(request));
    }

    private synchronized String page(HttpServletRequest request) {
        if (request.getPathInfo().equals("/samples")) {
            return list();
        }
        Sample sample = samples.get(request.getParameter("sample"));
        try {
            return switch (request.getPathInfo()) {
                case "/set" -> set(request.getSession(), sample, request.getParameter("to"));
                case "/look" -> look(request, sample);
                default -> "no page " + request.getPathInfo();
            };
        } catch (Exception | LinkageError | AssertionError e) {
            e.printStackTrace(); // Into the log of the process; the page is for the message of the test.
            return e.toString();
        }
    }

    /** A line for each: its name, and the text that its refusal has. */
    private String list() {
        StringJoiner lines = new StringJoiner("\n");
        samples.forEach((name, sample) -> lines.add(name + "\t" + sample.refused()));
        return lines.toString();
    }

    private static String set(HttpSession session, Sample sample, String attribute) throws Exception {
        session.setAttribute(attribute, sample.maker().call());
        return "";
    }

    /** Judges the attributes that the parameters {@code at} name, and sets the first as the attribute {@code to}, too. */
    private static String look(HttpServletRequest request, Sample sample) throws Exception {
        HttpSession session = request.getSession(false);
        if (session == null) {
            return "no session";
        }
        String[] attributes = request.getParameterValues("at");
        String[] looks = request.getParameterValues("looks");
        for (int i = 0; i < attributes.length; i++) {
            Object copy = session.getAttribute(attributes[i]);
            if (copy == null) {
                return "no attribute " + attributes[i];
            }
            try {
                sample.judge(copy, Integer.parseInt(looks[i]));
            } catch (AssertionError e) {
                return attributes[i] + ": " + e.getMessage();
            }
        }
        String to = request.getParameter("to");
        if (to != null) {
            session.setAttribute(to, session.getAttribute(attributes[0]));
        }
        return "";
    }
}
