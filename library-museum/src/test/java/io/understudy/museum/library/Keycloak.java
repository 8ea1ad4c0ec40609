package io.understudy.museum.library;

import static io.understudy.museum.library.Sample.login;

import org.keycloak.representations.AccessToken;
import org.keycloak.representations.IDToken;

final class Keycloak {

    private Keycloak() {}

    static Row row() {
        return Row.of(
                "Keycloak",
                "keycloak-core",
                login(
                        "AccessToken",
                        Keycloak::access,
                        (AccessToken token) -> token.getSubject()
                                + token.getIssuer()
                                + token.getRealmAccess().getRoles()
                                + token.getOtherClaims()),
                login(
                        "IDToken",
                        Keycloak::id,
                        (IDToken token) -> token.getSubject() + token.getEmail() + token.getExp()));
    }

    private static AccessToken access() {
        AccessToken token = new AccessToken();
        token.subject("42");
        token.issuer("https://login.example.org/realm");
        token.setRealmAccess(new AccessToken.Access().addRole("admin"));
        token.setOtherClaims("tenant", "corp");
        return token;
    }

    private static IDToken id() {
        IDToken token = new IDToken();
        token.subject("42");
        token.setEmail("ada@example.org");
        token.exp(1_700_000_000L);
        return token;
    }
}
