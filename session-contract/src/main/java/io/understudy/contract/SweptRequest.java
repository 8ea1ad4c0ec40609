package io.understudy.contract;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A request that something is thrown in, which finds the session that {@link SweptContainers} began on another node. */
public enum SweptRequest {
    COHERENT {
        @Override
        void run(HttpSession session) {
            session.setAttribute("set", "by it");
        }

        @Override
        Map<String, String> change() {
            return Map.of("set", "by it");
        }
    },

    IN_PLACE {
        @Override
        void run(HttpSession session) {
            list(session).add("changed");
        }

        @Override
        Map<String, String> change() {
            return Map.of(LIST, "[begun, changed]");
        }
    },

    /** Changes the session when the servlet has returned. */
    ASYNCHRONOUS {
        @Override
        void run(HttpSession session) {
            session.setAttribute("set", "later");
        }

        @Override
        Map<String, String> change() {
            return Map.of("set", "later");
        }

        @Override
        void run(HttpServletRequest request, HttpServletResponse response) {
            HttpSession session = request.getSession(false);
            AsyncContext context = request.startAsync();
            context.start(() -> {
                try {
                    answer(session, response);
                } catch (Throwable e) {
                    response.setStatus(500);
                } finally {
                    context.complete();
                }
            });
        }
    },

    LOGOUT {
        @Override
        void run(HttpSession session) {
            session.invalidate();
        }

        @Override
        Map<String, String> change() {
            return Map.of();
        }
    };

    static final String LIST = "list";

    abstract void run(HttpSession session);

    /** What the session has afterwards, as text; empty if it is over. */
    abstract Map<String, String> change();

    /** What each session begins with. */
    static List<Object> begun() {
        return new ArrayList<>(List.of("begun"));
    }

    @SuppressWarnings("unchecked")
    private static List<Object> list(HttpSession session) {
        return (List<Object>) session.getAttribute(LIST);
    }

    void run(HttpServletRequest request, HttpServletResponse response) throws IOException {
        answer(request.getSession(false), response);
    }

    final void answer(HttpSession session, HttpServletResponse response) throws IOException {
        run(session);
        response.getWriter().print("done");
    }
}
