package io.understudy.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;

/** Which texts can travel, and how they are shown. */
@Tag("rules")
class WireTextTest {

    @Provide
    Arbitrary<String> texts() {
        return OddTexts.any();
    }

    @Property
    void whatSurvivesUtf8CanTravel(@ForAll("texts") String text) {
        String read = new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
        assertEquals(read.equals(text), WireText.objection(text) == null);
    }

    @Property
    void messagesShowOneReadableLine(@ForAll("texts") String text) {
        String shown = WireText.shown(text);
        assertEquals(shown, new String(shown.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8));
        assertTrue(shown.chars().noneMatch(Character::isISOControl), shown);
    }

    @Example
    void onlyWhatCannotBeReadIsEscaped() {
        assertEquals("cart é中\uD83D\uDE00 %s '", WireText.shown("cart é中\uD83D\uDE00 %s '"));
        assertEquals("a\\u000A\\u0000\\u202E\\uD83Db\\uDE00", WireText.shown("a\n\0\u202E\uD83Db\uDE00"));
    }

    @Example
    void whatIsLongIsShortened() {
        String shown = WireText.shown("x".repeat(100_000));
        assertTrue(shown.length() < 250, shown);
        assertTrue(shown.endsWith("... (100000 characters)"), shown);
    }

    @Example
    void theMessageTellsWhatIsWrong() {
        IllegalArgumentException refused =
                assertThrows(IllegalArgumentException.class, () -> WireText.require("a session id", "ab\uD83D"));
        assertEquals(
                "expected a session id in well-formed UTF-16, found 'ab\\uD83D': character 2 of 3 is half of a surrogate"
                        + " pair, which UTF-8 can't express",
                refused.getMessage());
    }
}
