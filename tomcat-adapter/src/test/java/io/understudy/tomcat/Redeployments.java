package io.understudy.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.understudy.NodeStart;
import io.understudy.Understudy;
import io.understudy.config.UnderstudyConfig;
import io.understudy.testkit.Await;
import io.understudy.testkit.Browser;
import io.understudy.testkit.ChangingApplication;
import io.understudy.testkit.LoopbackCluster;
import java.lang.ref.WeakReference;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.startup.Tomcat;

/** An application on two nodes that is redeployed again and again, with other classes each time; the other node has the ones before. */
final class Redeployments implements AutoCloseable {

    private static final String WEB_XML = """
            <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0">
              <distributable/>
              <servlet><servlet-name>cart</servlet-name><servlet-class>%s</servlet-class></servlet>
              <servlet-mapping><servlet-name>cart</servlet-name><url-pattern>/cart</url-pattern></servlet-mapping>
            </web-app>
            """.formatted(ChangingApplication.SERVLET);

    private final Path directory;
    private final Browser browser = new Browser();
    private final List<Understudy> members = new ArrayList<>();
    private final List<Tomcat> servers = new ArrayList<>();

    Redeployments(Path directory) {
        this.directory = directory;
    }

    @Override
    public void close() throws LifecycleException {
        for (Tomcat server : servers) {
            server.stop();
            server.destroy();
        }
        members.forEach(Understudy::close);
    }

    /** None of the loaders of stopped applications stays. */
    void areCollected(int redeployments) throws Exception {
        Path application = WebApplication.make(directory.resolve("shop"), ChangingApplication.sources(0), WEB_XML);
        for (UnderstudyConfig config : LoopbackCluster.configs(2)) {
            serve(config, application);
        }
        awaitReady();
        StringBuilder cart = new StringBuilder();
        List<WeakReference<ClassLoader>> old = new ArrayList<>();
        for (int version = 1; version <= redeployments; version++) {
            ChangingApplication.compile(WebApplication.classes(application), ChangingApplication.sources(version));
            int server = version % 2;
            old.add(new WeakReference<>(deployed(server).getLoader().getClassLoader()));
            deployed(server).reload();
            awaitReady();
            cart.append("v").append(version).append(' ');
            assertEquals(cart.toString(), add(server, "v" + version));
        }
        Await.that("the loaders of stopped applications are collected", () -> {
            System.gc();
            return old.stream().allMatch(loader -> loader.get() == null);
        });
    }

    private void serve(UnderstudyConfig config, Path application) throws Exception {
        Understudy member = NodeStart.start(config);
        members.add(member);
        Tomcat tomcat = new Tomcat();
        servers.add(tomcat);
        tomcat.setBaseDir(
                Files.createDirectories(directory.resolve(config.nodeName())).toString());
        TomcatNode.listen(tomcat);
        Context context = WebApplication.add(tomcat, application);
        context.setManager(new UnderstudyManager(member));
        tomcat.start();
    }

    private void awaitReady() {
        members.forEach(member -> Await.that("ready", () -> member.readiness().ready()));
    }

    private Context deployed(int server) {
        return (Context) servers.get(server).getHost().findChild("/shop");
    }

    private String add(int server, String item) {
        HttpResponse<String> response = browser.send(
                URI::create,
                "http://127.0.0.1:" + servers.get(server).getConnector().getLocalPort() + "/shop/cart?item=" + item);
        assertEquals(200, response.statusCode(), response::body);
        return response.body();
    }
}
