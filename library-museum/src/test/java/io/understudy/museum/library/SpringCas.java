package io.understudy.museum.library;

import static io.understudy.museum.library.Sample.login;

import java.util.Map;
import org.apereo.cas.client.authentication.AttributePrincipalImpl;
import org.apereo.cas.client.validation.Assertion;
import org.apereo.cas.client.validation.AssertionImpl;
import org.springframework.security.cas.authentication.CasAuthenticationToken;
import org.springframework.security.core.context.SecurityContextImpl;

final class SpringCas {

    private SpringCas() {}

    static Row row() {
        return Row.of(
                "Spring Security CAS",
                "spring-security-cas",
                login(
                        "login by CAS",
                        SpringCas::context,
                        (SecurityContextImpl context) -> SpringSecurity.text(context)
                                + text(((CasAuthenticationToken) context.getAuthentication()).getAssertion())),
                login("assertion", SpringCas::assertion, SpringCas::text));
    }

    private static AssertionImpl assertion() {
        return new AssertionImpl(new AttributePrincipalImpl("ada", Map.of("mail", "ada@example.org")), Map.of("a", 1));
    }

    private static SecurityContextImpl context() throws Exception {
        return SpringSecurity.inSession(new CasAuthenticationToken(
                "key", SpringSecurity.user(), "ST-1", SpringSecurity.ROLES, SpringSecurity.user(), assertion()));
    }

    private static String text(Assertion assertion) {
        return assertion.getPrincipal().getName()
                + assertion.getPrincipal().getAttributes()
                + assertion.getAttributes();
    }
}
