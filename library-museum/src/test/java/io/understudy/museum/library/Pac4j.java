package io.understudy.museum.library;

import static io.understudy.museum.library.Sample.login;

import java.util.LinkedHashMap;
import java.util.Map;
import org.pac4j.core.exception.http.FoundAction;
import org.pac4j.core.exception.http.OkAction;
import org.pac4j.core.profile.AnonymousProfile;
import org.pac4j.core.profile.CommonProfile;
import org.pac4j.core.profile.UserProfile;
import org.pac4j.oidc.profile.OidcProfile;

final class Pac4j {

    private Pac4j() {}

    static Row row() {
        return Row.of(
                "pac4j",
                "pac4j-oidc",
                login("profiles of a session", Pac4j::profiles, Pac4j::text),
                login(
                        "OpenID Connect profile",
                        Pac4j::oidc,
                        (OidcProfile profile) -> profile.getId()
                                + profile.getEmail()
                                + profile.getAccessToken()
                                + profile.getRefreshToken()),
                login("anonymous profile", AnonymousProfile::new, (AnonymousProfile profile) -> profile.getId()),
                login(
                        "requested page",
                        () -> new FoundAction("https://shop.example.org/account"),
                        (FoundAction action) -> action.getCode() + action.getLocation()),
                login("requested form", () -> new OkAction("<form/>"), (OkAction action) -> action.getContent()));
    }

    private static Map<String, UserProfile> profiles() {
        CommonProfile profile = new CommonProfile();
        profile.setId("ada");
        profile.addAttribute("email", "ada@example.org");
        profile.addRole("admin");
        profile.setRemembered(true);
        LinkedHashMap<String, UserProfile> profiles = new LinkedHashMap<>();
        profiles.put("form", profile);
        return profiles;
    }

    private static String text(Map<String, UserProfile> profiles) {
        UserProfile profile = profiles.get("form");
        return profiles.keySet()
                + profile.getId()
                + profile.getAttributes()
                + profile.getRoles()
                + profile.isRemembered();
    }

    private static OidcProfile oidc() {
        OidcProfile profile = new OidcProfile();
        profile.setId("42");
        profile.addAttribute("email", "ada@example.org");
        profile.setAccessToken(new com.nimbusds.oauth2.sdk.token.BearerAccessToken("a"));
        profile.setRefreshToken(new com.nimbusds.oauth2.sdk.token.RefreshToken("r"));
        return profile;
    }
}
