package io.understudy.museum.library;

import static io.understudy.museum.library.Sample.login;

import java.util.List;
import java.util.Map;
import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.security.saml2.core.Saml2Error;
import org.springframework.security.saml2.core.Saml2X509Credential;
import org.springframework.security.saml2.provider.service.authentication.AbstractSaml2AuthenticationRequest;
import org.springframework.security.saml2.provider.service.authentication.DefaultSaml2AuthenticatedPrincipal;
import org.springframework.security.saml2.provider.service.authentication.Saml2Authentication;
import org.springframework.security.saml2.provider.service.authentication.Saml2AuthenticationException;
import org.springframework.security.saml2.provider.service.authentication.Saml2PostAuthenticationRequest;
import org.springframework.security.saml2.provider.service.registration.RelyingPartyRegistration;
import org.springframework.security.saml2.provider.service.registration.Saml2MessageBinding;
import org.springframework.security.saml2.provider.service.web.HttpSessionSaml2AuthenticationRequestRepository;

final class SpringSaml {

    private SpringSaml() {}

    static Row row() {
        return Row.of(
                "Spring Security SAML 2.0",
                "spring-security-saml2-service-provider",
                login(
                        "login by SAML 2.0",
                        SpringSaml::context,
                        (SecurityContextImpl context) -> SpringSecurity.text(context) + text(context)),
                login(
                        "request to the provider",
                        SpringSaml::request,
                        (AbstractSaml2AuthenticationRequest request) -> request.getSamlRequest()
                                + request.getRelayState()
                                + request.getAuthenticationRequestUri()
                                + request.getRelyingPartyRegistrationId()
                                + request.getId()),
                login(
                        "last exception",
                        () -> new Saml2AuthenticationException(new Saml2Error("invalid_response", "no")),
                        (Saml2AuthenticationException failed) ->
                                failed.getSaml2Error().getErrorCode()));
    }

    private static SecurityContextImpl context() throws Exception {
        DefaultSaml2AuthenticatedPrincipal principal = new DefaultSaml2AuthenticatedPrincipal(
                "ada", Map.of("mail", List.of("ada@example.org"), "age", List.of(36)), List.of("index"));
        principal.setRelyingPartyRegistrationId("corp");
        return SpringSecurity.inSession(new Saml2Authentication(principal, "<saml/>", SpringSecurity.ROLES));
    }

    private static String text(SecurityContextImpl context) {
        DefaultSaml2AuthenticatedPrincipal principal =
                (DefaultSaml2AuthenticatedPrincipal) context.getAuthentication().getPrincipal();
        return principal.getRelyingPartyRegistrationId()
                + principal.getSessionIndexes()
                + principal.getFirstAttribute("mail")
                + principal.getFirstAttribute("age")
                + ((Saml2Authentication) context.getAuthentication()).getSaml2Response();
    }

    private static AbstractSaml2AuthenticationRequest request() throws Exception {
        RelyingPartyRegistration registration = RelyingPartyRegistration.withRegistrationId("corp")
                .entityId("shop")
                .assertionConsumerServiceLocation("https://shop.example.org/back")
                .assertingPartyMetadata(party -> party.entityId("login")
                        .wantAuthnRequestsSigned(false)
                        .singleSignOnServiceLocation("https://login.example.org/sso")
                        .singleSignOnServiceBinding(Saml2MessageBinding.POST)
                        .verificationX509Credentials(credentials -> credentials.add(credential())))
                .build();
        return (AbstractSaml2AuthenticationRequest)
                Requests.attribute((request, response) -> new HttpSessionSaml2AuthenticationRequestRepository()
                        .saveAuthenticationRequest(
                                Saml2PostAuthenticationRequest.withRelyingPartyRegistration(registration)
                                        .samlRequest("PHNhbWwvPg==")
                                        .relayState("relay")
                                        .id("ARQ1")
                                        .build(),
                                request,
                                response));
    }

    private static Saml2X509Credential credential() {
        try {
            return Saml2X509Credential.verification(SpringSecurity.certificate());
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
