package io.understudy.junit.samples;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Random;

/** Fault: an attribute is larger than what is replicated, 1 MB by default. */
@WebServlet("/*")
public final class LargeAttribute extends Sample {

    private static final int BYTES = 3 << 20;

    @Override
    String page(HttpServletRequest request) {
        byte[] report = attribute(request, "report");
        if (report == null) {
            report = new byte[BYTES];
            new Random(1).nextBytes(report);
            request.getSession().setAttribute("report", report);
        }
        return "a report of " + report.length + " bytes, which begins with " + report[0];
    }
}
