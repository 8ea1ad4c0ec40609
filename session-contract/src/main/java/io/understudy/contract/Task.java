package io.understudy.contract;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;

/** What a case does inside a request, in the container's thread. */
@FunctionalInterface
interface Task {

    void run(HttpServletRequest request, HttpServletResponse response) throws Exception;

    /** What a web socket does with the session of its handshake, outside of any request. */
    @FunctionalInterface
    interface OfSocket {
        void run(HttpSession session) throws Exception;
    }

    /** A task that only asks something. */
    @FunctionalInterface
    interface Question<T> {
        T answer(HttpServletRequest request) throws Exception;
    }
}
