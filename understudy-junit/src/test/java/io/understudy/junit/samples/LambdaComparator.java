package io.understudy.junit.samples;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Comparator;
import java.util.TreeSet;

/** Fault: the order of a set is a lambda, which is not Serializable. */
@WebServlet("/*")
public final class LambdaComparator extends Sample {

    private static final Comparator<String> BY_LENGTH = (one, other) -> Integer.compare(one.length(), other.length());

    @Override
    String page(HttpServletRequest request) {
        TreeSet<String> words = attribute(request, "words");
        if (words == null) {
            words = new TreeSet<>(BY_LENGTH);
            request.getSession().setAttribute("words", words);
        }
        words.add(parameter(request, "word"));
        return String.join(" ", words);
    }
}
