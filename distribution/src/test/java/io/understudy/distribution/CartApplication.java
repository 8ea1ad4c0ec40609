package io.understudy.distribution;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** A web application with a cart in the session. Its pages are JSPs, so that the same file runs with every servlet API. */
final class CartApplication {

    /** Adds the item of the query, if it has one; answers with all items, and which deployment answers. */
    private static final String CART = """
            <%@ page contentType="text/plain" trimDirectiveWhitespaces="true" import="io.understudy.distribution.Cart" %>
            <%
              Cart cart = (Cart) session.getAttribute("cart");
              if (cart == null) {
                cart = new Cart();
                session.setAttribute("cart", cart);
              }
              if (request.getParameter("item") != null) {
                cart.add(request.getParameter("item"));
              }
              out.print(cart);
            %>
            """;

    private static final String DEPLOYMENT = """
            <%@ page contentType="text/plain" trimDirectiveWhitespaces="true" session="false" %>
            <%= System.identityHashCode(application.getClassLoader()) %>
            """;

    /** Uses libraries of its own, and says where they are from. */
    private static final String LIBRARIES = """
            <%@ page contentType="text/plain" trimDirectiveWhitespaces="true" session="false"
                import="com.esotericsoftware.kryo.*,com.esotericsoftware.kryo.io.*,com.github.benmanes.caffeine.cache.*" %>
            <%@ page import="org.jgroups.*,org.jgroups.protocols.*,org.jgroups.protocols.pbcast.*" %>
            <%
              Output output = new Output(1000, -1);
              new Kryo().writeClassAndObject(output, new java.util.ArrayList<Object>(java.util.List.of("a", 1)));
              out.println(new Kryo().readClassAndObject(new Input(output.toBytes())));

              Cache<String, String> cache = Caffeine.newBuilder().maximumSize(10).build();
              cache.put("b", "2");
              out.println(cache.getIfPresent("b"));

              try (JChannel channel = new JChannel(new SHARED_LOOPBACK(), new SHARED_LOOPBACK_PING(), new NAKACK2(),
                      new UNICAST3(), new STABLE(), new GMS())) {
                channel.connect("own");
                channel.send(null, "c");
                out.println(channel.getView().size());
              }
              out.println(Version.description);
              for (Class<?> library : new Class<?>[] {Kryo.class, Caffeine.class, JChannel.class}) {
                out.println(library.getProtectionDomain().getCodeSource().getLocation());
              }
            %>
            """;

    private CartApplication() {}

    static void write(Path war) throws IOException {
        write(war, List.of());
    }

    /** The same with libraries in {@code WEB-INF/lib}. */
    static void write(Path war, List<Path> libraries) throws IOException {
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(war))) {
            text(out, "WEB-INF/web.xml", "<web-app><distributable/></web-app>");
            text(out, "cart.jsp", CART);
            text(out, "deployment.jsp", DEPLOYMENT);
            type(out, Cart.class);
            if (!libraries.isEmpty()) {
                text(out, "libraries.jsp", LIBRARIES);
            }
            for (Path library : libraries) {
                entry(out, "WEB-INF/lib/" + library.getFileName(), Files.readAllBytes(library));
            }
        }
    }

    /** The same pages by a servlet of {@code jakarta.servlet}. */
    static void writeCompiled(Path war) throws IOException {
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(war))) {
            text(out, "WEB-INF/web.xml", """
                    <web-app>
                      <distributable/>
                      <servlet><servlet-name>cart</servlet-name><servlet-class>%s</servlet-class></servlet>
                      <servlet-mapping>
                        <servlet-name>cart</servlet-name>
                        <url-pattern>/cart.jsp</url-pattern>
                        <url-pattern>/deployment.jsp</url-pattern>
                      </servlet-mapping>
                    </web-app>
                    """.formatted(CartServlet.class.getName()));
            type(out, Cart.class);
            type(out, CartServlet.class);
        }
    }

    private static void type(ZipOutputStream out, Class<?> type) throws IOException {
        String file = type.getName().replace('.', '/') + ".class";
        try (InputStream in = type.getClassLoader().getResourceAsStream(file)) {
            entry(out, "WEB-INF/classes/" + file, in.readAllBytes());
        }
    }

    private static void text(ZipOutputStream out, String name, String text) throws IOException {
        entry(out, name, text.getBytes(UTF_8));
    }

    private static void entry(ZipOutputStream out, String name, byte[] bytes) throws IOException {
        out.putNextEntry(new ZipEntry(name));
        out.write(bytes);
        out.closeEntry();
    }
}
