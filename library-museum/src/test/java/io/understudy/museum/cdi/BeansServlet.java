package io.understudy.museum.cdi;

import jakarta.enterprise.context.NonexistentConversationException;
import jakarta.enterprise.inject.spi.CDI;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;

/**
 * Uses the beans of the session, and of the conversation that the parameter {@code cid} names. With {@code forever} a
 * request does not end.
 */
public final class BeansServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setContentType("text/plain;charset=UTF-8");
        response.getWriter().print(page(request.getPathInfo(), request.getParameter("with")));
        response.flushBuffer(); // As large pages do; a conversation ends its part of the request after that.
        if (request.getParameter("forever") != null) {
            stay();
        }
    }

    private static void stay() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String page(String path, String with) {
        try {
            return switch (path) {
                case "/add" -> add(with);
                case "/begin" -> the(Checkout.class).begin();
                case "/step" -> step(with);
                case "/look" -> the(Checkout.class).text();
                case "/end" -> end();
                default -> "ready";
            };
        } catch (NonexistentConversationException e) {
            return "no conversation";
        }
    }

    private static <T> T the(Class<T> bean) {
        return CDI.current().select(bean).get();
    }

    private static String add(String item) {
        Cart cart = the(Cart.class);
        cart.add(item);
        return cart.text();
    }

    private static String step(String name) {
        Checkout checkout = the(Checkout.class);
        checkout.step(name);
        return checkout.text();
    }

    private static String end() {
        Checkout checkout = the(Checkout.class);
        String text = checkout.text();
        checkout.end();
        return text;
    }
}
