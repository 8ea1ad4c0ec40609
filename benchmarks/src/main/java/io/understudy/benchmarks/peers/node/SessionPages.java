package io.understudy.benchmarks.peers.node;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The application of a {@link ProductNode}: sessions of 10 attributes of 1 KB, one of which a request changes.
 *
 * <pre>
 * POST /fill                    begins a session: sets attribute NUMBER to the number, for each; its answer is the last.
 * POST /change?n=NUMBER[&amp;length]  sets attribute NUMBER % 10 to a value with the number; its answer is the number.
 *                               With {@code length} the application sets Content-Length, and its last write ends the response.
 * GET /values                   the numbers of all attributes; {@value #NONE} if there is no session
 * GET /value?of=ATTRIBUTE       the number of one attribute
 * </pre>
 */
public final class SessionPages extends HttpServlet {

    public static final int ATTRIBUTES = 10;
    public static final String NONE = "none";
    static final List<String> PATHS = List.of("/fill", "/change", "/values", "/value");

    private static final long serialVersionUID = 1L;
    private static final int VALUE_BYTES = 1024;
    private static final long SEED = 1;

    /** Does not compress, as most of what is in sessions compresses little; after its number. */
    private static final byte[] FILLING = filling();

    private static byte[] filling() {
        byte[] filling = new byte[VALUE_BYTES];
        new SplittableRandom(SEED).nextBytes(filling);
        return filling;
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        HttpSession session = request.getSession();
        int number = ATTRIBUTES - 1;
        if (request.getServletPath().equals("/fill")) {
            for (int i = 0; i < ATTRIBUTES; i++) {
                change(session, i);
            }
        } else {
            number = Integer.parseInt(request.getParameter("n"));
            change(session, number);
        }
        byte[] body = Integer.toString(number).getBytes(StandardCharsets.US_ASCII);
        if (request.getParameter("length") != null) {
            response.setContentLength(body.length);
        }
        response.getOutputStream().write(body);
    }

    private static void change(HttpSession session, int number) {
        byte[] value = FILLING.clone();
        ByteBuffer.wrap(value).putInt(number);
        session.setAttribute(attribute(number % ATTRIBUTES), value);
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.getOutputStream().write(read(request).getBytes(StandardCharsets.US_ASCII));
    }

    private static String read(HttpServletRequest request) {
        HttpSession session = request.getSession(false);
        if (session == null) {
            return NONE;
        }
        String one = request.getParameter("of");
        if (one != null) {
            return String.valueOf(number(session, Integer.parseInt(one)));
        }
        StringBuilder numbers = new StringBuilder();
        for (int i = 0; i < ATTRIBUTES; i++) {
            numbers.append(i == 0 ? "" : " ").append(number(session, i));
        }
        return numbers.toString();
    }

    /** Of an attribute that is missing one that no request has. */
    private static int number(HttpSession session, int attribute) {
        return session.getAttribute(attribute(attribute)) instanceof byte[] value
                ? ByteBuffer.wrap(value).getInt()
                : attribute - ATTRIBUTES;
    }

    private static String attribute(int number) {
        return "attribute" + number;
    }
}
