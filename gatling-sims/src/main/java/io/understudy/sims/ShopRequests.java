package io.understudy.sims;

import static io.gatling.javaapi.core.CoreDsl.bodyString;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.http.HttpDsl.header;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.http.HttpProtocolBuilder;
import io.gatling.javaapi.http.HttpRequestActionBuilder;
import java.util.function.BiConsumer;

/** The shop's requests. Each is sent to {@code base} and its answer handed over, whatever it is. */
final class ShopRequests {

    static final String ARTICLE = "programme";

    private static final String STATUS = "status";
    private static final String BODY = "body";
    private static final String SENT = "sent";
    private static final String DEGRADED = "degraded";

    /** As the demo names it to its nodes. */
    private static final String DEGRADED_HEADER = "Understudy-Degraded";

    private final String base;
    private final String suffix;

    /**
     * The requests to one address.
     *
     * @param base in Gatling's expression language; empty is the protocol's own address
     * @param suffix what is added to the requests' names
     */
    ShopRequests(String base, String suffix) {
        this.base = base;
        this.suffix = suffix;
    }

    /** What all requests have in common: JSON, nothing cached, no redirect followed, connections shared. */
    static HttpProtocolBuilder protocol(Settings settings) {
        return http.baseUrl(settings.door().toString())
                .acceptHeader("application/json")
                .userAgentHeader("understudy-sims")
                .disableCaching()
                .disableFollowRedirect()
                .disableAutoReferer()
                .shareConnections();
    }

    ChainBuilder logIn(BiConsumer<Session, Answer> then) {
        return send(http("log in" + suffix).post(base + "/login").formParam("user", "#{user}"), then);
    }

    ChainBuilder count(BiConsumer<Session, Answer> then) {
        return send(http("count" + suffix).post(base + "/counter"), then);
    }

    ChainBuilder addToCart(BiConsumer<Session, Answer> then) {
        return send(
                http("add to cart" + suffix)
                        .post(base + "/cart")
                        .formParam("sku", ARTICLE)
                        .formParam("quantity", "1"),
                then);
    }

    ChainBuilder read(BiConsumer<Session, Answer> then) {
        return send(http("read" + suffix).get(base + "/state"), then);
    }

    private static ChainBuilder send(HttpRequestActionBuilder request, BiConsumer<Session, Answer> then) {
        return exec(session -> session.removeAll(STATUS, BODY, DEGRADED).set(SENT, System.nanoTime()))
                .exec(request.check(
                        status().saveAs(STATUS),
                        status().is(200),
                        bodyString().saveAs(BODY),
                        header(DEGRADED_HEADER).optional().saveAs(DEGRADED)))
                .exec(session -> {
                    long nanos = System.nanoTime() - session.getLong(SENT);
                    Integer code = session.getIntegerWrapper(STATUS);
                    then.accept(
                            session,
                            code == null
                                    ? Answer.none(nanos)
                                    : Answer.of(code, session.getString(BODY), session.contains(DEGRADED), nanos));
                    // A failed request is the judge's business; the client goes on.
                    return session.markAsSucceeded();
                });
    }
}
