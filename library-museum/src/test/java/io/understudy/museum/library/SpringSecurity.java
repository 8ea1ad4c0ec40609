package io.understudy.museum.library;

import static io.understudy.museum.library.Sample.login;

import java.io.ByteArrayInputStream;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import javax.security.auth.x500.X500Principal;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.RememberMeAuthenticationToken;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.authentication.jaas.JaasGrantedAuthority;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.security.core.session.SessionInformation;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.web.authentication.WebAuthenticationDetails;
import org.springframework.security.web.authentication.preauth.PreAuthenticatedAuthenticationToken;
import org.springframework.security.web.authentication.switchuser.SwitchUserGrantedAuthority;
import org.springframework.security.web.context.HttpSessionSecurityContextRepository;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.security.web.csrf.DefaultCsrfToken;
import org.springframework.security.web.csrf.HttpSessionCsrfTokenRepository;
import org.springframework.security.web.savedrequest.HttpSessionRequestCache;
import org.springframework.security.web.savedrequest.SavedRequest;

@SuppressWarnings("JavaUtilDate") // Its registry has dates.
final class SpringSecurity {

    static final List<GrantedAuthority> ROLES = AuthorityUtils.createAuthorityList("ROLE_USER", "ROLE_ADMIN");

    private SpringSecurity() {}

    static Row row() {
        return Row.of(
                "Spring Security",
                List.of("spring-security-web", "spring-security-config"),
                login("login by form", () -> inSession(form()), SpringSecurity::text),
                login(
                        "login by remember-me",
                        () -> inSession(new RememberMeAuthenticationToken("key", user(), ROLES)),
                        SpringSecurity::text),
                login(
                        "login by certificate (X.509)",
                        () -> inSession(new PreAuthenticatedAuthenticationToken("ada", certificate(), ROLES)),
                        (SecurityContextImpl context) -> text(context)
                                + ((X509Certificate) context.getAuthentication().getCredentials())
                                        .getSubjectX500Principal()),
                login(
                        "switched user",
                        () -> inSession(switched()),
                        (SecurityContextImpl context) -> text(context)
                                + ((SwitchUserGrantedAuthority) context.getAuthentication()
                                                .getAuthorities()
                                                .iterator()
                                                .next())
                                        .getSource()),
                login("anonymous user", () -> new AnonymousAuthenticationToken("key", "anonymous", ROLES)),
                login("login by JAAS", () -> new JaasGrantedAuthority("ROLE_USER", new X500Principal("CN=ada"))),
                login(
                        "CSRF token",
                        SpringSecurity::csrf,
                        (CsrfToken token) -> token.getHeaderName() + token.getToken()),
                login("saved request", SpringSecurity::saved, SpringSecurity::redirect),
                login("last exception", () -> new BadCredentialsException("wrong"), Throwable::toString),
                login(
                        "session of the registry (concurrent sessions)",
                        () -> new SessionInformation(user(), "s1", new Date(7)),
                        (SessionInformation session) -> session.getPrincipal()
                                + session.getSessionId()
                                + session.getLastRequest().getTime()
                                + session.isExpired()));
    }

    static User user() {
        return (User)
                User.withUsername("ada").password("{noop}x").authorities(ROLES).build();
    }

    private static Authentication form() {
        UsernamePasswordAuthenticationToken token =
                UsernamePasswordAuthenticationToken.authenticated(user(), null, ROLES);
        token.setDetails(new WebAuthenticationDetails("127.0.0.1", "s1"));
        return token;
    }

    private static Authentication switched() {
        List<GrantedAuthority> authorities = new ArrayList<>();
        authorities.add(new SwitchUserGrantedAuthority("ROLE_PREVIOUS_ADMINISTRATOR", form()));
        return UsernamePasswordAuthenticationToken.authenticated("bob", null, authorities);
    }

    /** As the filter of a login keeps it. */
    static SecurityContextImpl inSession(Authentication authentication) throws Exception {
        return (SecurityContextImpl)
                Requests.attribute((request, response) -> new HttpSessionSecurityContextRepository()
                        .saveContext(new SecurityContextImpl(authentication), request, response));
    }

    static String text(SecurityContextImpl context) {
        Authentication authentication = context.getAuthentication();
        return authentication.getClass().getName()
                + authentication.getName()
                + authentication.getAuthorities()
                + authentication.getDetails()
                + authentication.isAuthenticated();
    }

    private static Object csrf() throws Exception {
        return Requests.attribute((request, response) -> new HttpSessionCsrfTokenRepository()
                .saveToken(new DefaultCsrfToken("X-CSRF-TOKEN", "_csrf", "t"), request, response));
    }

    private static void save(MockHttpServletRequest request, MockHttpServletResponse response) {
        new HttpSessionRequestCache().saveRequest(request, response);
    }

    private static SavedRequest saved() throws Exception {
        return (SavedRequest) Requests.attribute(SpringSecurity::save);
    }

    private static String redirect(SavedRequest saved) {
        return saved.getRedirectUrl()
                + saved.getMethod()
                + List.of(saved.getParameterValues("tab"))
                + saved.getHeaderValues("Accept");
    }

    /** Of a key that nobody has any more. */
    static X509Certificate certificate() throws Exception {
        byte[] encoded = Base64.getDecoder()
                .decode("MIIBNTCB3KADAgECAgkAkdHtEFmzsYUwCgYIKoZIzj0EAwIwDjEMMAoGA1UEAxMDYWRhMCAXDTI2MTEyNjA3NTM1N1"
                        + "oYDzIxMjYxMTAyMDc1MzU3WjAOMQwwCgYDVQQDEwNhZGEwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATJwgLgtn67"
                        + "jpGDs9b0HLYkrnSVQlj4HSuSi2webf5dA3CF+cVeEWIGlTRHbv8mb6LF7KyEHQ5bCxI3DrjGG24loyEwHzAdBgNVHQ"
                        + "4EFgQUI3cNYSikfF6VBZH+kOyOzCVTpjUwCgYIKoZIzj0EAwIDSAAwRQIhAKUab5VjGRiFis1L3S7G5XMYUAVHc2Un"
                        + "XZJVdQbHcj1bAiAc3nfFbK78OkYiXMoLdLud7axDWDzZr+UOqDcDAJ2fKA==");
        return (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(encoded));
    }
}
