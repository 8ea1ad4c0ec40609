package io.understudy.junit.samples;

import jakarta.servlet.ServletContext;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServletRequest;

/** Fault: the highest bid of all users is in the ServletContext. */
@WebServlet("/*")
public final class ContextAttribute extends Sample {

    @Override
    String page(HttpServletRequest request) {
        request.getSession().setAttribute("bidder", "ann");
        ServletContext context = request.getServletContext();
        int bid = Integer.parseInt(parameter(request, "bid"));
        Integer highest = (Integer) context.getAttribute("highest");
        if (highest == null || bid > highest) {
            context.setAttribute("highest", bid);
            return "yours is the highest bid";
        }
        return "somebody has bid " + highest;
    }
}
