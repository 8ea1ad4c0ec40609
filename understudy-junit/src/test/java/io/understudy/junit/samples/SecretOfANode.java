package io.understudy.junit.samples;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServletRequest;
import java.security.SecureRandom;
import java.util.Objects;

/** Fault: each node has a key of its own, so that it takes the tokens of others for forged. */
@WebServlet("/*")
public final class SecretOfANode extends Sample {

    private final long key = new SecureRandom().nextLong();

    @Override
    String page(HttpServletRequest request) {
        String user = "ann";
        Integer token = attribute(request, "token");
        int signed = Objects.hash(user, key);
        if (token == null) {
            request.getSession().setAttribute("token", signed);
            return "welcome, " + user;
        }
        return token == signed ? "your orders, " + user : "the token is forged";
    }
}
