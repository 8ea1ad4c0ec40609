package io.understudy.demo.launcher.cluster;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Asks one node for its readiness. Threads: any. */
final class HealthProbe {

    /** A node that is silent for so long is not ready; a paused one is noticed by this. */
    static final Duration TIMEOUT = Duration.ofSeconds(1);

    private static final Pattern SESSIONS = Pattern.compile("(?m)^understudy_sessions(?:\\{[^}]*})? +([0-9.eE+]+)$");

    /**
     * An answer.
     *
     * @param answered whether the node said it itself
     */
    record Answer(boolean ready, boolean answered, String reason) {}

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(TIMEOUT)
            .build();
    private final URI base;

    HealthProbe(int port) {
        base = URI.create("http://127.0.0.1:" + port);
    }

    Answer ask() throws InterruptedException {
        try {
            HttpResponse<String> response = get("/ready");
            return new Answer(
                    response.statusCode() == 200, true, response.body().strip());
        } catch (HttpTimeoutException e) {
            return new Answer(false, false, "no answer within " + TIMEOUT.toMillis() + " ms");
        } catch (ConnectException e) {
            return new Answer(false, true, "its health port is not open");
        } catch (IOException e) {
            return new Answer(false, true, "its health port broke off: " + e.getMessage());
        }
    }

    /** How many sessions the node holds, of all applications; {@code -1} if it does not say. */
    long sessions() throws InterruptedException {
        try {
            Matcher matcher = SESSIONS.matcher(get("/metrics").body());
            double sum = 0;
            boolean found = false;
            while (matcher.find()) {
                sum += Double.parseDouble(matcher.group(1));
                found = true;
            }
            return found ? (long) sum : -1;
        } catch (IOException | NumberFormatException e) {
            return -1;
        }
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(base.resolve(path)).timeout(TIMEOUT).build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }
}
