package io.understudy.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.NodeStart;
import io.understudy.Understudy;
import io.understudy.config.UnderstudyConfig;
import io.understudy.testkit.Await;
import io.understudy.testkit.Browser;
import io.understudy.testkit.LoopbackCluster;
import java.lang.ref.WeakReference;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleState;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Attributes of classes that only the web application has, under a loader of its own on each node. */
@Tag("container")
class ClassLoadingIT {

    private static final String ITEM = """
            package shop;
            public class Item implements java.io.Serializable {
                public final String name;
                public Item(String name) { this.name = name; }
                @Override public String toString() { return name; }
            }
            """;

    private static final String SERVLET = """
            package shop;
            public class CartServlet extends jakarta.servlet.http.HttpServlet {
                @Override
                @SuppressWarnings("unchecked")
                protected void doGet(jakarta.servlet.http.HttpServletRequest request,
                        jakarta.servlet.http.HttpServletResponse response) throws java.io.IOException {
                    java.util.List<Item> cart =
                            (java.util.List<Item>) request.getSession().getAttribute("cart");
                    if (cart == null) {
                        cart = new java.util.ArrayList<>();
                        request.getSession().setAttribute("cart", cart);
                    }
                    cart.add(new Item(request.getParameter("item")));
                    StringBuilder names = new StringBuilder();
                    for (Item item : cart) {
                        names.append(item.name).append(' ');
                    }
                    response.getWriter().print(names);
                }
            }
            """;

    private static final String WEB_XML = """
            <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0">
              <distributable/>
              <servlet><servlet-name>cart</servlet-name><servlet-class>shop.CartServlet</servlet-class></servlet>
              <servlet-mapping><servlet-name>cart</servlet-name><url-pattern>/cart</url-pattern></servlet-mapping>
            </web-app>
            """;

    @TempDir
    private Path directory;

    private final Browser browser = new Browser();
    private List<Understudy> members;
    private List<Tomcat> servers;
    private Path application;

    @BeforeEach
    void start() throws Exception {
        application =
                WebApplication.make(directory.resolve("shop"), Map.of("Item", ITEM, "CartServlet", SERVLET), WEB_XML);
        List<UnderstudyConfig> configs = LoopbackCluster.configs(2);
        members = List.of(NodeStart.start(configs.get(0)), NodeStart.start(configs.get(1)));
        servers = List.of(serve(0), serve(1));
        members.forEach(member -> Await.that("ready", () -> member.readiness().ready()));
    }

    @AfterEach
    void stop() throws Exception {
        for (Tomcat server : servers) {
            server.stop();
            server.destroy();
        }
        members.forEach(Understudy::close);
    }

    @Test
    void eachNodeDecodesWithItsApplicationsLoader() {
        assertEquals("tea ", add(0, "tea"));
        assertEquals("tea cup ", add(1, "cup"));
        assertEquals("tea cup pot ", add(0, "pot"));
        assertNotEquals(
                deployed(0).getLoader().getClassLoader(),
                deployed(1).getLoader().getClassLoader());
    }

    @Test
    void sessionsOutliveARedeploymentAndTheOldLoaderIsFree() throws Exception {
        add(0, "tea");
        add(1, "cup");
        WeakReference<ClassLoader> old =
                new WeakReference<>(deployed(1).getLoader().getClassLoader());
        deployed(1).reload();
        assertEquals(LifecycleState.STARTED, deployed(1).getState());
        Await.that("ready", () -> members.get(1).readiness().ready());
        assertEquals("tea cup pot ", add(1, "pot"));
        Await.that("the loader of the stopped application is collected", () -> {
            System.gc();
            return old.get() == null;
        });
    }

    @Test
    void anApplicationRedeployedOnAllNodesAtOnceLosesNothing() throws Exception {
        add(0, "tea");
        add(1, "cup");
        for (int server = 0; server < 2; server++) {
            ((StandardContext) deployed(server)).stop();
        }
        WeakReference<ClassLoader> old =
                new WeakReference<>(deployed(0).getLoader().getClassLoader());
        for (int server = 0; server < 2; server++) {
            ((StandardContext) deployed(server)).start();
        }
        members.forEach(member -> Await.that("ready", () -> member.readiness().ready()));
        assertEquals("tea cup pot ", add(1, "pot"));
        assertEquals("tea cup pot jar ", add(0, "jar"));
        Await.that("the loader of the stopped application is collected", () -> {
            System.gc();
            return old.get() == null;
        });
    }

    private String add(int server, String item) {
        HttpResponse<String> response = browser.send(
                URI::create,
                "http://127.0.0.1:" + servers.get(server).getConnector().getLocalPort() + "/shop/cart?item=" + item);
        assertEquals(200, response.statusCode(), response::body);
        return response.body();
    }

    private Context deployed(int server) {
        return (Context) servers.get(server).getHost().findChild("/shop");
    }

    private Tomcat serve(int index) throws Exception {
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(
                Files.createDirectories(directory.resolve("tomcat" + index)).toString());
        TomcatNode.listen(tomcat);
        Context context = WebApplication.add(tomcat, application);
        context.setManager(new UnderstudyManager(members.get(index)));
        tomcat.start();
        assertTrue(context.getState().isAvailable());
        return tomcat;
    }
}
