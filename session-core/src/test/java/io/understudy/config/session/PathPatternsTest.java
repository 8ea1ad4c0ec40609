package io.understudy.config.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("rules")
class PathPatternsTest {

    @ParameterizedTest
    @CsvSource({
        "/checkout,     /checkout,      true",
        "/checkout,     /checkout/,     false",
        "/checkout,     /checkout/pay,  false",
        "/checkout/*,   /checkout,      true",
        "/checkout/*,   /checkout/,     true",
        "/checkout/*,   /checkout/pay,  true",
        "/checkout/*,   /checkouts,     false",
        "*.do,          /shop/pay.do,   true",
        "*.do,          /shop/pay.done, false",
        "*.do,          /shop/pay,      false",
        "*.do,          /pay.do/form,   false",
        "/*,            /,              true",
        "/*,            /anything/else, true",
        "/,             /,              true",
        "/,             /anything,      false",
    })
    void aPatternMatchesAsAServletMapping(String pattern, String path, boolean matches) {
        assertEquals(matches, PathPatterns.parse(pattern).matches(path));
    }

    @Test
    void severalAreSeparatedByCommas() {
        PathPatterns patterns = PathPatterns.parse(" /a , /b/* ,, *.c ");
        assertEquals(List.of("/a", "/b/*", "*.c"), patterns.patterns());
        assertTrue(patterns.matches("/a") && patterns.matches("/b/x") && patterns.matches("/x.c"));
        assertFalse(patterns.matches("/x"));
        assertEquals(patterns, PathPatterns.parse(patterns.toString()));
    }

    @Test
    void noPatternMatchesNothing() {
        assertSame(PathPatterns.NONE, PathPatterns.parse("  , "));
        assertTrue(PathPatterns.NONE.isEmpty());
        assertFalse(PathPatterns.NONE.matches("/"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"checkout", "*", "**", "*.", "*.a/b", "/a*", "/a/*/b", "/*.do", "*.*", "a/*"})
    void whatIsNoPatternIsNamed(String wrong) {
        IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> PathPatterns.parse("/fine, " + wrong));
        assertTrue(e.getMessage().contains("'" + wrong + "'"), e.getMessage());
    }
}
