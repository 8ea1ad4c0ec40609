package io.understudy.junit.sites;

import io.understudy.doctor.Likeness;
import io.understudy.doctor.findings.Finding;
import io.understudy.junit.servers.Application;
import io.understudy.junit.servers.TomcatServer;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.catalina.Session;
import org.apache.catalina.session.StandardManager;

/** One server with Tomcat's own sessions. */
public final class SingleSite implements Site {

    private final StandardManager manager = new StandardManager();
    private final TomcatServer server;

    public SingleSite(Application application) {
        manager.setPathname(null); // Keeps no file.
        server = application.start("the only node", manager);
        server.context().setDistributable(false); // Else Tomcat refuses attributes that are not Serializable.
    }

    @Override
    public void begin(int port) {
        server.behind(port);
    }

    @Override
    public String contextPath() {
        return server.contextPath();
    }

    @Override
    public String sessionCookie() {
        return server.sessionCookie();
    }

    @Override
    public TomcatServer next(int number, boolean quiet) {
        return server;
    }

    @Override
    public Map<String, Likeness> session(TomcatServer answered, String id) {
        return server.likenesses(() -> attributes(id));
    }

    private Map<String, Object> attributes(String id) {
        Map<String, Object> attributes = new TreeMap<>();
        try {
            Session session = manager.findSession(id);
            if (session != null && session.isValid()) {
                HttpSession shown = session.getSession();
                for (String name : Collections.list(shown.getAttributeNames())) {
                    attributes.put(name, shown.getAttribute(name));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return attributes;
    }

    @Override
    public List<String> notes() {
        return List.of();
    }

    @Override
    public List<Finding> findings() {
        return List.of();
    }

    @Override
    public void close() {
        server.close();
    }
}
