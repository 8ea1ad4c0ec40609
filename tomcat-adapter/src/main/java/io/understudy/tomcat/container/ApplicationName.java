package io.understudy.tomcat.container;

import org.apache.catalina.Context;
import org.apache.catalina.Engine;
import org.apache.catalina.Host;

/** The name under which an application shares its sessions by default. */
public final class ApplicationName {

    private ApplicationName() {}

    /** The context path and version, behind the host. */
    public static String of(Context context) {
        String path = context.getPath().isEmpty() ? "/" : context.getPath();
        String version = context.getWebappVersion();
        return host(context) + path + (version == null || version.isEmpty() ? "" : "##" + version);
    }

    /**
     * Applications of different hosts share no session, also if their paths are equal. The engine's default host has no
     * name here: so the same WAR has the same name on every container.
     */
    private static String host(Context context) {
        return context.getParent() instanceof Host host
                        && host.getParent() instanceof Engine engine
                        && !host.getName().equalsIgnoreCase(engine.getDefaultHost())
                ? host.getName()
                : "";
    }
}
