package io.understudy.jetty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.understudy.testkit.Browser;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.URLDecoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.security.ConstraintMapping;
import org.eclipse.jetty.ee11.servlet.security.ConstraintSecurityHandler;
import org.eclipse.jetty.security.Authenticator;
import org.eclipse.jetty.security.Constraint;
import org.eclipse.jetty.security.LoginService;
import org.eclipse.jetty.server.Handler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Jetty's own logins by OpenID, as its distribution has them, with a provider that lets everybody in. */
@Tag("container")
@Timeout(300)
final class OpenIdIT {

    private static final String PACKAGE = "org.eclipse.jetty.security.openid.";

    private HttpServer provider;
    private String issuer;

    @BeforeEach
    void startProvider() throws IOException {
        provider = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        issuer = "http://127.0.0.1:" + provider.getAddress().getPort();
        provider.createContext("/token", exchange -> {
            exchange.getRequestBody().readAllBytes();
            long now = System.currentTimeMillis() / 1000;
            String claims = "{\"iss\":\"" + issuer + "\",\"sub\":\"ada\",\"aud\":[\"shop\"],\"exp\":" + (now + 3600)
                    + ",\"iat\":" + now
                    + ",\"address\":{\"country\":\"AT\"},\"verified\":true,\"groups\":[\"a\",\"b\"]}";
            byte[] answer = ("{\"id_token\":\"" + part("{\"alg\":\"none\"}") + "." + part(claims) + "." + part("none")
                            + "\",\"access_token\":\"token\",\"token_type\":\"Bearer\",\"expires_in\":3600}")
                    .getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        provider.start();
    }

    private static String part(String json) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(json.getBytes(StandardCharsets.UTF_8));
    }

    @AfterEach
    void stopProvider() {
        provider.stop(0);
    }

    private static URLClassLoader loader(String... modules) throws IOException {
        List<URL> jars = new ArrayList<>();
        for (String folder : modules) {
            try (Stream<Path> files = Files.walk(Path.of("target", folder))) {
                for (Path jar :
                        files.filter(file -> file.toString().endsWith(".jar")).toList()) {
                    jars.add(jar.toUri().toURL());
                }
            }
        }
        assertTrue(jars.size() >= 2, () -> "the jars of Jetty's modules: " + jars);
        return new URLClassLoader(jars.toArray(URL[]::new), OpenIdIT.class.getClassLoader());
    }

    static Stream<String> names() {
        return ContainerClasses.NAMES.stream();
    }

    /** Also of the older environments. */
    @ParameterizedTest
    @MethodSource("names")
    void aClassThatMayBeDecodedIsThere(String name) throws Exception {
        try (URLClassLoader loader = loader("openid", "environments/ee8", "environments/ee9")) {
            assertEquals(name, Class.forName(name, false, loader).getName());
        }
    }

    private Handler secure(ServletContextHandler context) {
        try {
            ClassLoader container = loader("openid");
            context.setClassLoader(new URLClassLoader(new URL[0], container));
            Class<?> type = container.loadClass(PACKAGE + "OpenIdConfiguration");
            Object configuration = type.getConstructor(
                            String.class, String.class, String.class, String.class, String.class, HttpClient.class)
                    .newInstance(issuer, issuer + "/authorize", issuer + "/token", "shop", "secret", null);
            ConstraintMapping accounts = new ConstraintMapping();
            accounts.setPathSpec("/account");
            accounts.setConstraint(Constraint.ANY_USER);
            ConstraintSecurityHandler security = new ConstraintSecurityHandler();
            security.setLoginService((LoginService) container
                    .loadClass(PACKAGE + "OpenIdLoginService")
                    .getConstructor(type)
                    .newInstance(configuration));
            security.setAuthenticator((Authenticator) container
                    .loadClass(PACKAGE + "OpenIdAuthenticator")
                    .getConstructor(type)
                    .newInstance(configuration));
            security.addConstraintMapping(accounts);
            context.setSecurityHandler(security);
            return context;
        } catch (IOException | ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String parameter(URI uri, String name) {
        return Stream.of(uri.getRawQuery().split("&"))
                .filter(parameter -> parameter.startsWith(name + "="))
                .map(parameter -> URLDecoder.decode(parameter.substring(name.length() + 1), StandardCharsets.UTF_8))
                .findFirst()
                .orElseThrow();
    }

    /** The redirect to the provider, by one node; the return from it may go to another, as may all after it. */
    @Test
    void aLoginIsBegunHereEndedThereAndOutlivesItsNode() {
        try (JettyCluster cluster = JettyCluster.of(3)
                .tune(this::secure)
                .on("/account", (request, response) -> {
                    Object claims = request.getSession().getAttribute(PACKAGE + "claims");
                    Object answer = request.getSession().getAttribute(PACKAGE + "response");
                    response.getWriter()
                            .print(request.getUserPrincipal().getName() + " " + request.getParameter("tab") + " "
                                    + ((Map<?, ?>) claims).get("address") + " "
                                    + ((Map<?, ?>) answer).get("token_type"));
                })
                .start()) {
            Browser browser = new Browser();
            // Two tabs: both tokens are valid until one of them is used.
            browser.send(cluster.node(0), "/app/account?tab=first");
            HttpResponse<String> asked = browser.send(cluster.node(1), "/app/account?tab=orders");
            URI challenge = URI.create(asked.headers().firstValue("Location").orElseThrow());
            assertEquals("/authorize", challenge.getPath());
            HttpResponse<String> loggedIn = browser.send(
                    cluster.node(2), "/app/j_security_check?code=1&state=" + parameter(challenge, "state"));
            assertEquals(303, loggedIn.statusCode(), loggedIn::body);
            for (JettyNode node : cluster.nodes()) {
                assertEquals("ada orders {country=AT} Bearer", browser.get(node, "/app/account?tab=orders"));
            }
            cluster.nodes().remove(2).close();
            assertEquals("ada orders {country=AT} Bearer", browser.get(cluster.node(0), "/app/account?tab=orders"));
        }
    }
}
