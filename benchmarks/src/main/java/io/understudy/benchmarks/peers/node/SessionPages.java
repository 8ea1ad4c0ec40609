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
import org.jspecify.annotations.Nullable;

/**
 * The application of a {@link ProductNode}: sessions of 10 attributes of 1 KB, one of which a request changes.
 *
 * <pre>
 * POST /fill                    begins a session: sets attribute NUMBER to the number, for each; its answer is the last.
 * POST /change?n=NUMBER[&amp;length]  sets attribute NUMBER % 10 to a value with the number; its answer is the number.
 *                               With {@code length} the application sets Content-Length, and its last write ends the response.
 * POST /shop                    begins a session with 10 strings of 1 KB and a cart of 20 items; its answer is {@value #SHOP}.
 * GET /values                   the numbers of all attributes; {@value #NONE} if there is no session
 * GET /value?of=ATTRIBUTE       the number of one attribute
 * GET /string?of=ATTRIBUTE      the last character of one string, which is the attribute's number
 * GET /cart                     what everything in the cart costs
 * </pre>
 */
public final class SessionPages extends HttpServlet {

    public static final int ATTRIBUTES = 10;
    public static final String NONE = "none";
    public static final String SHOP = "open";

    /** What everything in the cart costs. */
    public static final String COSTS = CartItem.total(CartItem.cart()).toPlainString();

    static final List<String> PATHS = List.of("/fill", "/change", "/shop", "/values", "/value", "/string", "/cart");

    private static final long serialVersionUID = 1L;
    private static final int VALUE_BYTES = 1024;
    private static final long SEED = 1;

    /** Does not compress, as most of what is in sessions compresses little; after its number. */
    private static final byte[] FILLING = filling();

    private static final String STRING = "x".repeat(VALUE_BYTES - 1);
    private static final String CART = "cart";

    private static byte[] filling() {
        byte[] filling = new byte[VALUE_BYTES];
        new SplittableRandom(SEED).nextBytes(filling);
        return filling;
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        HttpSession session = request.getSession();
        if (request.getServletPath().equals("/shop")) {
            open(session);
            response.getOutputStream().write(SHOP.getBytes(StandardCharsets.US_ASCII));
            return;
        }
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

    private static void open(HttpSession session) {
        for (int i = 0; i < ATTRIBUTES; i++) {
            session.setAttribute(attribute(i), STRING + i);
        }
        session.setAttribute(CART, CartItem.cart());
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
        switch (request.getServletPath()) {
            case "/string" -> {
                return last(session.getAttribute(attribute(Integer.parseInt(request.getParameter("of")))));
            }
            case "/cart" -> {
                return session.getAttribute(CART) instanceof List<?> cart
                        ? CartItem.total(cart).toPlainString()
                        : NONE;
            }
            default -> {
                return numbers(session, request.getParameter("of"));
            }
        }
    }

    private static String last(@Nullable Object value) {
        return value instanceof String string ? string.substring(string.length() - 1) : NONE;
    }

    private static String numbers(HttpSession session, @Nullable String one) {
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
