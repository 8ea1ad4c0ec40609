package io.understudy.demo.shop;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The whole shop: a page, its state as JSON, and the forms that change it.
 *
 * <p>Every change is an ordinary use of {@link HttpSession}. The cart is put there once and from then on changed in
 * place, without {@code setAttribute}, as applications do.
 */
public final class ShopServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;

    private static final String USER = "user";
    private static final String CART = "cart";
    private static final String COUNTER = "counter";
    private static final String NOTE = "note";

    private static final Pattern SKU = Pattern.compile("[A-Za-z0-9._-]{1,40}");
    private static final int MAX_USER_CHARS = 80;
    private static final int MAX_QUANTITY = 1_000;
    private static final int SHOWN_NOTE_CHARS = 160;

    /** Locks for {@link #lock}: enough that sessions rarely share one. */
    private static final Object[] LOCKS = Stream.generate(Object::new).limit(64).toArray();

    private final String node = System.getProperty("understudy.demo.node", hostName());

    /** The client's own fault; it gets the message with status 400. */
    private static final class BadInput extends Exception {

        private static final long serialVersionUID = 1L;

        BadInput(String message) {
            super(message);
        }
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        switch (request.getServletPath()) {
            case "/state" -> write(response, "application/json", state(request).toJson());
            case "" -> write(response, "text/html", ShopPage.render(state(request), request.getContextPath()));
            default -> {
                response.setHeader("Allow", "POST");
                fail(response, HttpServletResponse.SC_METHOD_NOT_ALLOWED, "this address takes POST");
            }
        }
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        request.setCharacterEncoding(StandardCharsets.UTF_8.name());
        try {
            switch (request.getServletPath()) {
                case "/login" -> logIn(request);
                case "/cart" -> addToCart(request);
                case "/counter" -> count(request);
                case "/note" -> takeNote(request);
                case "/logout" -> logOut(request);
                default -> {
                    response.setHeader("Allow", "GET");
                    fail(response, HttpServletResponse.SC_METHOD_NOT_ALLOWED, "this address takes GET");
                    return;
                }
            }
            answer(request, response);
        } catch (BadInput e) {
            fail(response, HttpServletResponse.SC_BAD_REQUEST, e.getMessage());
        } catch (IllegalStateException e) {
            // Another request logged out while this one ran.
            fail(response, HttpServletResponse.SC_CONFLICT, "the session ended while the request ran: log in again");
        }
    }

    private void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String accept = request.getHeader("Accept");
        if (accept != null && accept.contains("application/json")) {
            write(response, "application/json", state(request).toJson());
        } else {
            response.setStatus(HttpServletResponse.SC_SEE_OTHER);
            response.setHeader("Location", request.getContextPath() + "/");
        }
    }

    private static void logIn(HttpServletRequest request) throws BadInput {
        String user = field(request, "user").trim();
        if (user.isEmpty() || user.length() > MAX_USER_CHARS) {
            throw new BadInput("field 'user' must have 1 to " + MAX_USER_CHARS + " characters, had " + user.length());
        }
        HttpSession session = request.getSession();
        synchronized (lock(session)) {
            session.setAttribute(USER, user);
            cart(session);
        }
        // Against session fixation: whoever knew the id before the login must not know it after.
        request.changeSessionId();
    }

    private static void addToCart(HttpServletRequest request) throws BadInput {
        String sku = field(request, "sku");
        if (!SKU.matcher(sku).matches()) {
            throw new BadInput("field 'sku' must match " + SKU + ", was '" + sku + "'");
        }
        int quantity = quantity(request);
        HttpSession session = request.getSession();
        synchronized (lock(session)) {
            List<CartItem> cart = cart(session);
            CartItem line = null;
            for (CartItem item : cart) {
                if (item.sku().equals(sku)) {
                    line = item;
                }
            }
            if (line == null) {
                line = Catalogue.line(sku);
                cart.add(line);
            }
            line.add(quantity);
            if (line.quantity() <= 0) {
                cart.remove(line);
            }
        }
    }

    private static int quantity(HttpServletRequest request) throws BadInput {
        String text = request.getParameter("quantity");
        if (text == null) {
            return 1;
        }
        try {
            int quantity = Integer.parseInt(text.trim());
            if (quantity != 0 && Math.abs(quantity) <= MAX_QUANTITY) {
                return quantity;
            }
        } catch (NumberFormatException e) {
            // Falls through to the one message for every wrong quantity.
        }
        throw new BadInput("field 'quantity' must be a whole number from " + -MAX_QUANTITY + " to " + MAX_QUANTITY
                + " and not 0, was '" + text + "'");
    }

    private static void count(HttpServletRequest request) {
        HttpSession session = request.getSession();
        synchronized (lock(session)) {
            session.setAttribute(COUNTER, counter(session) + 1);
        }
    }

    private static void takeNote(HttpServletRequest request) throws BadInput {
        request.getSession().setAttribute(NOTE, field(request, "text"));
    }

    private static void logOut(HttpServletRequest request) {
        HttpSession session = request.getSession(false);
        if (session != null) {
            session.invalidate();
        }
    }

    private ShopState state(HttpServletRequest request) {
        HttpSession session = request.getSession(false);
        if (session != null) {
            try {
                return state(session);
            } catch (IllegalStateException e) {
                // It was ended by another request just now: then there is none.
            }
        }
        return new ShopState(node, container(), null, null, 0, List.of(), null);
    }

    private ShopState state(HttpSession session) {
        synchronized (lock(session)) {
            Object cart = session.getAttribute(CART);
            List<ShopState.Line> lines = cart == null
                    ? List.of()
                    : cart(session).stream().map(ShopState.Line::of).toList();
            return new ShopState(
                    node,
                    container(),
                    session.getId(),
                    (String) session.getAttribute(USER),
                    counter(session),
                    lines,
                    note((String) session.getAttribute(NOTE)));
        }
    }

    private static ShopState.@Nullable Note note(@Nullable String text) {
        if (text == null) {
            return null;
        }
        return new ShopState.Note(text.length(), text.substring(0, Math.min(text.length(), SHOWN_NOTE_CHARS)));
    }

    // Only this class sets the attribute.
    @SuppressWarnings("unchecked")
    private static List<CartItem> cart(HttpSession session) {
        Object cart = session.getAttribute(CART);
        if (cart == null) {
            cart = new ArrayList<CartItem>();
            session.setAttribute(CART, cart);
        }
        return (List<CartItem>) cart;
    }

    private static int counter(HttpSession session) {
        Integer counter = (Integer) session.getAttribute(COUNTER);
        return counter == null ? 0 : counter;
    }

    /** Requests of one session may run at once; containers hand each its own {@code HttpSession} object. */
    private static Object lock(HttpSession session) {
        return LOCKS[Math.floorMod(session.getId().hashCode(), LOCKS.length)];
    }

    private static String field(HttpServletRequest request, String name) throws BadInput {
        String value = request.getParameter(name);
        if (value == null) {
            throw new BadInput("field '" + name + "' is missing");
        }
        return value;
    }

    private String container() {
        String info = getServletContext().getServerInfo().replaceFirst("^Apache ", "");
        return Character.toUpperCase(info.charAt(0)) + info.substring(1);
    }

    private static void write(HttpServletResponse response, String type, String body) throws IOException {
        response.setContentType(type + ";charset=utf-8");
        response.setHeader("Cache-Control", "no-store");
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        response.setContentLength(bytes.length);
        response.getOutputStream().write(bytes);
    }

    private static void fail(HttpServletResponse response, int status, @Nullable String message) throws IOException {
        response.setStatus(status);
        write(response, "text/plain", message + "\n");
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "unknown host";
        }
    }
}
