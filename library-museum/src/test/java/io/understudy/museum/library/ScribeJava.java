package io.understudy.museum.library;

import static io.understudy.museum.library.Sample.login;

import com.github.scribejava.core.model.OAuth1AccessToken;
import com.github.scribejava.core.model.OAuth1RequestToken;
import com.github.scribejava.core.model.OAuth2AccessToken;

final class ScribeJava {

    private ScribeJava() {}

    static Row row() {
        return Row.of(
                "ScribeJava",
                "scribejava-core",
                login("OAuth1RequestToken", () -> new OAuth1RequestToken("t", "s")),
                login("OAuth1AccessToken", () -> new OAuth1AccessToken("t", "s")),
                login("OAuth2AccessToken", () -> new OAuth2AccessToken("a", "bearer", 60, "r", "openid", "{}")));
    }
}
