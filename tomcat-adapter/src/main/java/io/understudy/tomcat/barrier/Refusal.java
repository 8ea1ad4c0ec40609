package io.understudy.tomcat.barrier;

import static org.apache.coyote.Constants.SENDFILE_FILENAME_ATTR;
import static org.apache.coyote.Constants.SENDFILE_FILE_END_ATTR;
import static org.apache.coyote.Constants.SENDFILE_FILE_START_ATTR;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import org.apache.catalina.connector.Response;

/** Answers in place of the application's, as long as nothing of the response has left. */
public final class Refusal {

    /** Seconds after which a refused client may try again: longer than a fetch, shorter than a person's patience. */
    private static final String RETRY_AFTER_SECONDS = "2";

    private static final List<String> SENDFILE =
            List.of(SENDFILE_FILENAME_ATTR, SENDFILE_FILE_START_ATTR, SENDFILE_FILE_END_ATTR);

    private Refusal() {}

    /** Answers 503 and when to try again. Cookies are kept: a session id may have changed. */
    public static void refuse(Response response, String reason) throws IOException {
        Collection<String> cookies = List.copyOf(response.getHeaders("Set-Cookie"));
        reset(response);
        cookies.forEach(cookie -> response.addHeader("Set-Cookie", cookie));
        response.setHeader("Retry-After", RETRY_AFTER_SECONDS);
        response.sendError(503, reason);
    }

    /** Answers 500. */
    public static void fail(Response response) throws IOException {
        reset(response);
        response.sendError(500);
    }

    /** Tomcat would send the application's file as the body. */
    private static void reset(Response response) {
        response.reset();
        SENDFILE.forEach(response.getRequest()::removeAttribute);
    }
}
