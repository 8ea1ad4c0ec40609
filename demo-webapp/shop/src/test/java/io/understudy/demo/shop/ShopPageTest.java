package io.understudy.demo.shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("rules")
final class ShopPageTest {

    private static final ShopState.Line ROSES = new ShopState.Line("stage-door-rose", "Stage-door rose", 3, 350);

    @Test
    void whatAClientTypedIsNeverMarkupNorAPlaceholder() {
        String html =
                ShopPage.render(state("<script>alert(1)</script>", new ShopState.Note(12, "\"${cart}\" & '")), "/shop");

        assertFalse(html.contains("<script>alert"), html);
        assertTrue(html.contains("Welcome, <b>&lt;script&gt;alert(1)&lt;/script&gt;</b>"), html);
        assertTrue(html.contains("&quot;&#36;{cart}&quot; &amp; &#39;"), html);
    }

    @Test
    void everyPlaceholderIsFilled() {
        String html = ShopPage.render(state("Ada", null), "");

        assertFalse(html.contains("${"), html);
        assertTrue(html.contains("&euro;&nbsp;10.50"), "three roses cost 10.50");
        assertTrue(html.contains("<b>tomcat-1</b>"), html);
    }

    @Test
    void jsonHoldsTheStateAndEscapesIt() {
        assertEquals(
                "{\"node\":\"tomcat-1\",\"container\":\"Tomcat/11.0.25\",\"session\":\"s1\",\"user\":\"A\\\"\\\\\\u000a\","
                        + "\"counter\":7,\"cart\":[{\"sku\":\"stage-door-rose\",\"name\":\"Stage-door rose\","
                        + "\"quantity\":3,\"cents\":350}]}\n",
                state("A\"\\\n", null).toJson());
    }

    private static ShopState state(String user, ShopState.Note note) {
        return new ShopState("tomcat-1", "Tomcat/11.0.25", "s1", user, 7, List.of(ROSES), note);
    }
}
