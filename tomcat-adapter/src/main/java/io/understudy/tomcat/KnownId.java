package io.understudy.tomcat;

import io.understudy.tomcat.container.SessionIds;
import java.util.function.BooleanSupplier;
import org.apache.catalina.connector.Request;

/**
 * Whether the client of a request may learn the id of its session. A login may replace the id while the request runs,
 * also on another node. Then the new id is not for a client that bears the old one: somebody else may have planted
 * that.
 *
 * <p>Threads: those of the request.
 */
record KnownId(Request request) implements BooleanSupplier {

    @Override
    public boolean getAsBoolean() {
        String borne = request.getRequestedSessionId(); // The new one, if the request itself has changed the id.
        return borne == null
                || !(request.getSessionInternal(false) instanceof UnderstudySession session)
                || session.begunByItsRequest()
                || session.live().idFor(SessionIds.bare(borne)) != null;
    }
}
