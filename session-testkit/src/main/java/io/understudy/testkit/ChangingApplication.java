package io.understudy.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.tools.ToolProvider;

/**
 * A web application that puts objects of its own classes into the session, in every way in which attributes are encoded: a
 * bean, an enum, a record, and a class with {@code readObject}. Its classes differ from version to version.
 */
public final class ChangingApplication {

    /** The servlet; it answers with all items that were added, each with a space behind it. */
    public static final String SERVLET = "shop.CartServlet";

    private ChangingApplication() {}

    /** The sources of this version by class name. */
    public static Map<String, String> sources(int version) {
        return Map.of(
                "Item",
                """
                        package shop;
                        public class Item implements java.io.Serializable {
                            private static final long serialVersionUID = 1;
                            public String name;
                            public int since%1$d = %1$d;
                        }
                        """.formatted(version),
                "Kind",
                "package shop; public enum Kind { TEA, IN%1$d { }, CUP }".formatted(version),
                "Price",
                "package shop; public record Price(int cents, String of%1$d) implements java.io.Serializable {}"
                        .formatted(version),
                "Note",
                """
                        package shop;
                        public class Note implements java.io.Serializable {
                            private static final long serialVersionUID = 1;
                            public String text;
                            public Kind kind;
                            public int since%1$d = %1$d;
                            private void readObject(java.io.ObjectInputStream in)
                                    throws java.io.IOException, ClassNotFoundException {
                                in.defaultReadObject();
                            }
                        }
                        """.formatted(version),
                "CartServlet",
                """
                        package shop;
                        public class CartServlet extends jakarta.servlet.http.HttpServlet {
                            @Override
                            @SuppressWarnings("unchecked")
                            protected void doGet(jakarta.servlet.http.HttpServletRequest request,
                                    jakarta.servlet.http.HttpServletResponse response) throws java.io.IOException {
                                jakarta.servlet.http.HttpSession session = request.getSession();
                                java.util.List<Item> cart = (java.util.List<Item>) session.getAttribute("cart");
                                if (cart == null) {
                                    cart = new java.util.ArrayList<>();
                                }
                                Price price = (Price) session.getAttribute("price");
                                Note note = (Note) session.getAttribute("note");
                                int items = cart.size();
                                if (items > 0 && (price.cents() != items || note.kind != Kind.CUP
                                        || session.getAttribute("kind") != Kind.TEA
                                        || !note.text.equals(cart.get(items - 1).name))) {
                                    response.sendError(500, items + " items, but " + price + " and " + note.text);
                                    return;
                                }
                                Item item = new Item();
                                item.name = request.getParameter("item");
                                cart.add(item);
                                note = new Note();
                                note.text = item.name;
                                note.kind = Kind.CUP;
                                session.setAttribute("cart", cart);
                                session.setAttribute("price", new Price(items + 1, "%1$d"));
                                session.setAttribute("note", note);
                                session.setAttribute("kind", Kind.TEA);
                                StringBuilder names = new StringBuilder();
                                for (Item each : cart) {
                                    names.append(each.name).append(' ');
                                }
                                response.getWriter().print(names);
                            }
                        }
                        """.formatted(version));
    }

    /** Compiles sources, given by class name, against what this JVM has. */
    public static void compile(Path classes, Map<String, String> sources) throws IOException {
        Files.createDirectories(classes);
        Path directory = Files.createTempDirectory("understudy-sources");
        List<String> arguments = new ArrayList<>(
                List.of("-proc:none", "-d", classes.toString(), "-classpath", System.getProperty("java.class.path")));
        for (Map.Entry<String, String> source : sources.entrySet()) {
            Path file = directory.resolve(source.getKey() + ".java");
            Files.writeString(file, source.getValue());
            arguments.add(file.toString());
        }
        if (ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)) != 0) {
            throw new IOException("the test's web application does not compile");
        }
    }
}
