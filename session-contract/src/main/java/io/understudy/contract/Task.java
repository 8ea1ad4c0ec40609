package io.understudy.contract;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/** What a case does inside a request, in the container's thread. */
@FunctionalInterface
interface Task {

    void run(HttpServletRequest request, HttpServletResponse response) throws Exception;

    /** A task that only asks something. */
    @FunctionalInterface
    interface Question<T> {
        T answer(HttpServletRequest request) throws Exception;
    }
}
