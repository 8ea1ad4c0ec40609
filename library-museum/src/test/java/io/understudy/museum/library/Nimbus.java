package io.understudy.museum.library;

import static io.understudy.museum.library.Sample.login;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.oauth2.sdk.id.State;
import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import com.nimbusds.oauth2.sdk.token.BearerAccessToken;
import com.nimbusds.openid.connect.sdk.Nonce;

final class Nimbus {

    private Nimbus() {}

    static Row row() {
        return Row.of(
                "Nimbus JOSE + JWT, OAuth 2.0 SDK",
                "nimbus-jose-jwt",
                login("state of a login", () -> new State("s")),
                login("Nonce", () -> new Nonce("n")),
                login("CodeVerifier", () -> new CodeVerifier("v".repeat(43))),
                login("BearerAccessToken", () -> new BearerAccessToken("a")),
                login(
                        "JWK",
                        () -> new OctetSequenceKey.Builder(Base64URL.encode("k"))
                                .keyID("1")
                                .build(),
                        JWK::toJSONString),
                login(
                        "JWSHeader",
                        () -> new JWSHeader.Builder(JWSAlgorithm.RS256)
                                .keyID("1")
                                .build(),
                        JWSHeader::toString),
                login(
                        "PlainJWT",
                        () -> PlainJWT.parse("eyJhbGciOiJub25lIn0.eyJzdWIiOiI0MiJ9."),
                        (PlainJWT jwt) -> jwt.serialize()));
    }
}
