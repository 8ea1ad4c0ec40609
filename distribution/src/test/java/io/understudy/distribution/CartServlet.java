package io.understudy.distribution;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;

/** The pages of {@link CartApplication} without a compiler at their first request. */
public class CartServlet extends HttpServlet {

    private static final long serialVersionUID = 1;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setContentType("text/plain");
        response.getWriter()
                .print(
                        request.getServletPath().equals("/deployment.jsp")
                                ? System.identityHashCode(getServletContext().getClassLoader())
                                : cart(request));
    }

    private static Cart cart(HttpServletRequest request) {
        HttpSession session = request.getSession();
        Cart cart = (Cart) session.getAttribute("cart");
        if (cart == null) {
            cart = new Cart();
            session.setAttribute("cart", cart);
        }
        String item = request.getParameter("item");
        if (item != null) {
            cart.add(item);
        }
        return cart;
    }
}
