package io.understudy.codec;

import io.understudy.codec.TypeZoo.Animal;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import java.io.Serializable;
import java.net.URL;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.springframework.aop.scope.ScopedProxyFactoryBean;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.security.authentication.InternalAuthenticationServiceException;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.security.oauth2.client.authentication.OAuth2AuthenticationToken;
import org.springframework.security.oauth2.core.oidc.OidcIdToken;
import org.springframework.security.oauth2.core.oidc.user.DefaultOidcUser;
import org.springframework.security.oauth2.core.oidc.user.OidcUserAuthority;
import org.springframework.security.web.authentication.preauth.PreAuthenticatedAuthenticationToken;

/** What Spring's logins and scoped beans put into sessions, and what applications make of the servlet API. */
final class SpringZoo {

    private SpringZoo() {}

    static Stream<Animal> animals() {
        return Stream.of(
                TypeZoo.of("spring login by OpenID Connect", SpringZoo::oidc, SpringZoo::issuer),
                TypeZoo.of("spring login by certificate", SpringZoo::certified),
                TypeZoo.of(
                        "spring login that LDAP failed",
                        () -> new InternalAuthenticationServiceException(
                                "no answer", new javax.naming.CommunicationException("refused")),
                        failed -> failed.toString() + ((Throwable) failed).getCause()),
                TypeZoo.of("spring scoped bean in another", SpringZoo::basket, SpringZoo::color),
                TypeZoo.of("spring scoped bean by its interface", SpringZoo::byInterface, SpringZoo::color),
                TypeZoo.of("exception of a servlet", () -> new Rejected("no"), Object::toString),
                TypeZoo.of("servlet", Counting::new, servlet -> ((Counting) servlet).count));
    }

    private static Object oidc() throws Exception {
        Instant now = Instant.ofEpochSecond(1_700_000_000);
        // As Spring's own converter of claims makes them.
        Map<String, Object> claims = new HashMap<>(Map.of("sub", "42", "aud", List.of("shop"), "iat", now));
        claims.put("iss", new URL("https://login.example.org/realm"));
        OidcIdToken id = new OidcIdToken("a.b.c", now, now.plusSeconds(60), claims);
        DefaultOidcUser user = new DefaultOidcUser(List.of(new OidcUserAuthority(id)), id);
        return new SecurityContextImpl(new OAuth2AuthenticationToken(user, user.getAuthorities(), "corp"));
    }

    private static Object issuer(Object context) {
        OAuth2AuthenticationToken token =
                (OAuth2AuthenticationToken) ((SecurityContextImpl) context).getAuthentication();
        URL issuer = ((DefaultOidcUser) token.getPrincipal()).getIssuer();
        return issuer.toExternalForm()
                + token.getName()
                + token.getAuthorities().size();
    }

    private static Object certified() throws Exception {
        return new SecurityContextImpl(new PreAuthenticatedAuthenticationToken(
                "ada", JdkMakers.certificate(), AuthorityUtils.createAuthorityList("ROLE_USER")));
    }

    interface Colored {
        String color();
    }

    static class Prefs implements Colored, Serializable {

        private static final long serialVersionUID = 1L;

        @Override
        public String color() {
            return "green";
        }
    }

    private record Basket(Colored prefs) implements Serializable {}

    /** The application's own factory, of which each node has one with this name. */
    private static DefaultListableBeanFactory factory() {
        DefaultListableBeanFactory factory = new DefaultListableBeanFactory();
        factory.setSerializationId("zoo");
        factory.registerSingleton("scopedTarget.prefs", new Prefs());
        return factory;
    }

    private static final DefaultListableBeanFactory FACTORY = factory();

    private static Basket scoped(boolean byClass) {
        ScopedProxyFactoryBean proxies = new ScopedProxyFactoryBean();
        proxies.setTargetBeanName("scopedTarget.prefs");
        proxies.setProxyTargetClass(byClass);
        proxies.setBeanFactory(FACTORY);
        return new Basket((Colored) proxies.getObject());
    }

    private static Object basket() {
        return scoped(true);
    }

    private static Object byInterface() {
        return scoped(false);
    }

    private static Object color(Object basket) {
        return ((Basket) basket).prefs().color();
    }

    private static final class Rejected extends ServletException {

        private static final long serialVersionUID = 1L;

        Rejected(String message) {
            super(message);
        }
    }

    /** A Vaadin session holds its servlet. */
    private static final class Counting extends HttpServlet {

        private static final long serialVersionUID = 1L;

        private int count = 3;
    }
}
