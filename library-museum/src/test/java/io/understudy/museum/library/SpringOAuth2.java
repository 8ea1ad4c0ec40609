package io.understudy.museum.library;

import static io.understudy.museum.library.Sample.login;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClient;
import org.springframework.security.oauth2.client.authentication.OAuth2AuthenticationToken;
import org.springframework.security.oauth2.client.oidc.authentication.OidcIdTokenDecoderFactory;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.web.HttpSessionOAuth2AuthorizationRequestRepository;
import org.springframework.security.oauth2.client.web.HttpSessionOAuth2AuthorizedClientRepository;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.OAuth2AccessToken;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.core.OAuth2RefreshToken;
import org.springframework.security.oauth2.core.converter.ClaimTypeConverter;
import org.springframework.security.oauth2.core.endpoint.OAuth2AuthorizationRequest;
import org.springframework.security.oauth2.core.oidc.OidcIdToken;
import org.springframework.security.oauth2.core.oidc.OidcUserInfo;
import org.springframework.security.oauth2.core.oidc.user.DefaultOidcUser;
import org.springframework.security.oauth2.core.oidc.user.OidcUserAuthority;
import org.springframework.security.oauth2.core.user.DefaultOAuth2User;
import org.springframework.security.oauth2.core.user.OAuth2UserAuthority;
import org.springframework.security.oauth2.jwt.Jwt;

final class SpringOAuth2 {

    private static final Instant NOW = Instant.ofEpochSecond(1_700_000_000);

    private SpringOAuth2() {}

    static Row row() {
        return Row.of(
                "Spring Security OAuth 2.0 and OpenID Connect",
                List.of("spring-security-oauth2-client", "spring-security-oauth2-jose"),
                login(
                        "login by OpenID Connect",
                        SpringOAuth2::oidc,
                        (SecurityContextImpl context) -> SpringSecurity.text(context) + issuer(context)),
                login("login by OAuth 2.0", SpringOAuth2::oauth2, SpringSecurity::text),
                login("request to the provider", SpringOAuth2::request, SpringOAuth2::text),
                login("authorized clients", SpringOAuth2::clients, SpringOAuth2::tokens),
                login(
                        "Jwt",
                        SpringOAuth2::jwt,
                        (Jwt jwt) -> jwt.getTokenValue() + jwt.getSubject() + jwt.getExpiresAt() + jwt.getHeaders()),
                login(
                        "last exception",
                        () -> new OAuth2AuthenticationException("invalid_token"),
                        (OAuth2AuthenticationException failed) ->
                                failed.getError().getErrorCode()));
    }

    /** With claims as Spring's own converter makes them: the issuer is a URL. */
    private static SecurityContextImpl oidc() throws Exception {
        Map<String, Object> raw = Map.of(
                "iss",
                "https://login.example.org/realm",
                "sub",
                "42",
                "aud",
                "shop",
                "iat",
                NOW,
                "exp",
                NOW.plusSeconds(60));
        Map<String, Object> claims =
                new ClaimTypeConverter(OidcIdTokenDecoderFactory.createDefaultClaimTypeConverters()).convert(raw);
        OidcIdToken id = new OidcIdToken("a.b.c", NOW, NOW.plusSeconds(60), claims);
        OidcUserInfo info =
                OidcUserInfo.builder().subject("42").email("ada@example.org").build();
        DefaultOidcUser user = new DefaultOidcUser(List.of(new OidcUserAuthority(id, info)), id, info);
        return SpringSecurity.inSession(new OAuth2AuthenticationToken(user, user.getAuthorities(), "corp"));
    }

    private static String issuer(SecurityContextImpl context) {
        DefaultOidcUser user = (DefaultOidcUser) context.getAuthentication().getPrincipal();
        return user.getIssuer().toExternalForm() + user.getEmail() + user.getAudience() + user.getExpiresAt();
    }

    private static SecurityContextImpl oauth2() throws Exception {
        Map<String, Object> attributes = Map.of("id", 42, "login", "ada");
        DefaultOAuth2User user =
                new DefaultOAuth2User(List.of(new OAuth2UserAuthority(attributes)), attributes, "login");
        return SpringSecurity.inSession(new OAuth2AuthenticationToken(user, user.getAuthorities(), "github"));
    }

    private static OAuth2AuthorizationRequest request() throws Exception {
        return (OAuth2AuthorizationRequest) Requests.attribute((request, response) ->
                new HttpSessionOAuth2AuthorizationRequestRepository()
                        .saveAuthorizationRequest(
                                OAuth2AuthorizationRequest.authorizationCode()
                                        .authorizationUri("https://login.example.org/authorize")
                                        .clientId("shop")
                                        .redirectUri("https://shop.example.org/back")
                                        .scopes(Set.of("openid"))
                                        .state("s")
                                        .attributes(Map.of("registration_id", "corp", "code_verifier", "v"))
                                        .build(),
                                request,
                                response));
    }

    private static String text(OAuth2AuthorizationRequest request) {
        return request.getAuthorizationRequestUri() + request.getState() + new HashMap<>(request.getAttributes());
    }

    private static ClientRegistration registration() {
        return ClientRegistration.withRegistrationId("corp")
                .authorizationGrantType(AuthorizationGrantType.AUTHORIZATION_CODE)
                .clientId("shop")
                .clientSecret("secret")
                .redirectUri("{baseUrl}/back")
                .scope("openid")
                .authorizationUri("https://login.example.org/authorize")
                .tokenUri("https://login.example.org/token")
                .build();
    }

    private static Object clients() throws Exception {
        OAuth2AccessToken access = new OAuth2AccessToken(
                OAuth2AccessToken.TokenType.BEARER, "a", NOW, NOW.plusSeconds(60), Set.of("openid"));
        OAuth2AuthorizedClient client =
                new OAuth2AuthorizedClient(registration(), "ada", access, new OAuth2RefreshToken("r", NOW));
        return Requests.attribute((request, response) -> new HttpSessionOAuth2AuthorizedClientRepository()
                .saveAuthorizedClient(
                        client,
                        SpringSecurity.inSession(new OAuth2AuthenticationToken(
                                        new DefaultOAuth2User(List.of(), Map.of("login", "ada"), "login"),
                                        List.of(),
                                        "corp"))
                                .getAuthentication(),
                        request,
                        response));
    }

    private static String tokens(Map<String, OAuth2AuthorizedClient> clients) {
        OAuth2AuthorizedClient client = clients.get("corp");
        return clients.keySet()
                + client.getPrincipalName()
                + client.getAccessToken().getTokenValue()
                + client.getAccessToken().getScopes()
                + client.getAccessToken().getTokenType().getValue()
                + client.getRefreshToken().getTokenValue()
                + client.getClientRegistration().getClientId()
                + client.getClientRegistration().getScopes()
                + client.getClientRegistration().getProviderDetails().getTokenUri();
    }

    private static Jwt jwt() {
        return Jwt.withTokenValue("a.b.c")
                .header("alg", "RS256")
                .subject("42")
                .issuedAt(NOW)
                .expiresAt(NOW.plusSeconds(60))
                .build();
    }
}
