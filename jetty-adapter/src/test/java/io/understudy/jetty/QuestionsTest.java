package io.understudy.jetty;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("rules")
class QuestionsTest {

    private final Questions questions = new Questions();

    @Test
    void threeAreAskedInAllApplicationsTogether() {
        assertTrue(questions.mayAsk("a", true));
        assertTrue(questions.mayAsk("a", true), "in another application");
        assertTrue(questions.mayAsk("b", true));
        assertFalse(questions.mayAsk("a", true));
        assertFalse(questions.mayAsk("c", true));
    }

    @Test
    void everyJoiningApplicationAsksForThreeIds() {
        for (int application = 0; application < 10; application++) {
            for (String id : new String[] {"a", "b", "c"}) {
                assertTrue(questions.mayAsk(id, false));
            }
            assertFalse(questions.mayAsk("d", false));
        }
    }
}
