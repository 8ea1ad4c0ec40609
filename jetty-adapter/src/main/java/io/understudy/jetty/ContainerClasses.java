package io.understudy.jetty;

import java.util.Set;

/** The classes of Jetty whose objects Jetty keeps in sessions: who is logged in, and the request that a login interrupted. */
final class ContainerClasses {

    static final Set<String> NAMES = Set.of(
            "org.eclipse.jetty.ee8.security.AbstractUserAuthentication",
            "org.eclipse.jetty.ee8.security.authentication.SessionAuthentication",
            "org.eclipse.jetty.ee8.security.openid.OpenIdAuthenticator$MRUMap",
            "org.eclipse.jetty.ee8.security.openid.OpenIdAuthenticator$UriRedirectInfo",
            "org.eclipse.jetty.ee9.security.AbstractUserAuthentication",
            "org.eclipse.jetty.ee9.security.authentication.SessionAuthentication",
            "org.eclipse.jetty.ee9.security.openid.OpenIdAuthenticator$MRUMap",
            "org.eclipse.jetty.ee9.security.openid.OpenIdAuthenticator$UriRedirectInfo",
            "org.eclipse.jetty.http.HttpURI$Immutable",
            "org.eclipse.jetty.http.UriCompliance$Violation",
            "org.eclipse.jetty.security.MultiAuthenticator$MultiAuthState",
            "org.eclipse.jetty.security.RolePrincipal",
            "org.eclipse.jetty.security.UserPrincipal",
            "org.eclipse.jetty.security.authentication.LoginAuthenticator$UserAuthenticationSucceeded",
            "org.eclipse.jetty.security.authentication.SessionAuthentication",
            "org.eclipse.jetty.security.openid.OpenIdAuthenticator$MRUMap",
            "org.eclipse.jetty.security.openid.OpenIdAuthenticator$UriRedirectInfo",
            "org.eclipse.jetty.security.openid.OpenIdCredentials",
            "org.eclipse.jetty.security.openid.OpenIdUserPrincipal",
            "org.eclipse.jetty.util.MultiMap");

    private ContainerClasses() {}
}
