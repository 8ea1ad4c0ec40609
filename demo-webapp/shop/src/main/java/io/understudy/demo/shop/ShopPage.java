package io.understudy.demo.shop;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Fills {@code shop.html} with a {@link ShopState}. Everything that came from a client is escaped. */
final class ShopPage {

    private static final String TEMPLATE = template();

    private ShopPage() {}

    static String render(ShopState state, String contextPath) {
        String kind = state.container().toLowerCase(Locale.ROOT).startsWith("tomcat") ? "tomcat" : "jetty";
        return TEMPLATE.replace("${kind}", kind)
                .replace("${node}", escape(state.node()))
                .replace("${container}", escape(state.container()))
                .replace("${shelf}", shelf())
                .replace("${counter}", String.valueOf(state.counter()))
                .replace("${total}", euro(state.totalCents()))
                .replace("${root}", escape(contextPath))
                .replace("${account}", account(state))
                .replace("${cart}", cart(state))
                .replace("${note}", note(state.note()));
    }

    private static String account(ShopState state) {
        String session = state.session();
        String line = session == null ? "no session yet" : "session <code>" + escape(session) + "</code>";
        String user = state.user();
        if (user == null) {
            return "<form method=\"post\" action=\"login\"><input name=\"user\" maxlength=\"80\" required "
                    + "placeholder=\"Your name\" aria-label=\"Your name\"><button>Log in</button></form><p class=\"dim\">"
                    + line + "</p>";
        }
        return "<form method=\"post\" action=\"logout\"><span>Welcome, <b>" + escape(user)
                + "</b></span><button class=\"quiet\">Log out</button></form><p class=\"dim\">" + line + "</p>";
    }

    private static String shelf() {
        return Catalogue.ARTICLES.stream()
                .map(article -> "<li><div><b>" + escape(article.name()) + "</b><span class=\"dim\">"
                        + escape(article.blurb()) + "</span></div><span class=\"price\">" + euro(article.cents())
                        + "</span>" + change(article.sku(), 1, "Add") + "</li>")
                .collect(Collectors.joining("\n"));
    }

    private static String cart(ShopState state) {
        if (state.cart().isEmpty()) {
            return "<tr><td class=\"dim\" colspan=\"4\">Still empty.</td></tr>";
        }
        return state.cart().stream()
                .map(line -> "<tr><td>" + escape(line.name()) + "</td><td class=\"number\">" + line.quantity()
                        + "</td><td class=\"number\">" + euro(line.totalCents()) + "</td><td>"
                        + change(line.sku(), -1, "&minus;") + change(line.sku(), 1, "+") + "</td></tr>")
                .collect(Collectors.joining("\n"));
    }

    private static String change(String sku, int quantity, String label) {
        return "<form method=\"post\" action=\"cart\"><input type=\"hidden\" name=\"sku\" value=\"" + escape(sku)
                + "\"><input type=\"hidden\" name=\"quantity\" value=\"" + quantity + "\"><button>" + label
                + "</button></form>";
    }

    private static String note(ShopState.@Nullable Note note) {
        if (note == null) {
            return "";
        }
        String more = note.length() > note.beginning().length() ? "&hellip;" : "";
        return "<blockquote>" + escape(note.beginning()) + more + "<span class=\"dim\"> " + note.length()
                + " characters</span></blockquote>";
    }

    private static String euro(long cents) {
        return String.format(Locale.ROOT, "&euro;&nbsp;%d.%02d", cents / 100, Math.abs(cents % 100));
    }

    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;")
                // Else a client's text could hold one of the template's placeholders.
                .replace("$", "&#36;");
    }

    private static String template() {
        try (InputStream html = Objects.requireNonNull(ShopPage.class.getResourceAsStream("shop.html"))) {
            return new String(html.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
