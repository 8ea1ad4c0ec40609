package io.understudy.tomcat.container;

import java.util.Set;

/** The classes of Tomcat whose objects Tomcat keeps in sessions: users, requests that a login interrupted, CSRF nonces. */
public final class ContainerClasses {

    public static final Set<String> NAMES = Set.of(
            "jakarta.servlet.http.Cookie",
            "org.apache.catalina.authenticator.SavedRequest",
            "org.apache.catalina.filters.CsrfPreventionFilter$LruCache",
            "org.apache.catalina.filters.CsrfPreventionFilter$LruCache$1",
            "org.apache.catalina.realm.GenericPrincipal",
            "org.apache.catalina.realm.GenericPrincipal$SerializablePrincipal",
            "org.apache.tomcat.util.buf.AbstractChunk",
            "org.apache.tomcat.util.buf.ByteChunk");

    private ContainerClasses() {}
}
