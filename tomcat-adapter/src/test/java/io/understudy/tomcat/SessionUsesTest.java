package io.understudy.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.session.Commit.Outcome;
import io.understudy.testkit.Await;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** When asynchronous requests of a session object are over. */
@Tag("rules")
class SessionUsesTest {

    private final SessionUses uses = new SessionUses();
    private final List<String> over = new ArrayList<>();

    private SessionUses.Asynchronous request(String name, Runnable end) {
        return new SessionUses.Asynchronous() {
            @Override
            public void changedOutside(UnderstudySession session, Outcome outcome) {}

            @Override
            public void overAfterAccess() {
                over.add(name);
                end.run();
            }
        };
    }

    private SessionUses.Asynchronous request(String name) {
        return request(name, () -> {});
    }

    @Test
    void anAsynchronousRequestIsOverAtTheLatestWithTheLastAccess() {
        uses.begin();
        uses.begin();
        uses.goesOn(request("first"), true);
        uses.goesOn(request("second"), true);
        uses.end();
        assertEquals(List.of(), over);
        uses.end();
        assertEquals(List.of("first", "second"), over);
        assertFalse(uses.any());
    }

    /** The end of the first gives the session's lock to the second, which is in the middle of its work. */
    @Test
    void oneThatBeginsWhileAnotherEndsIsNotOverWithIt() {
        uses.begin();
        uses.goesOn(
                request("first", () -> {
                    uses.begin();
                    uses.goesOn(request("second"), true);
                }),
                true);
        uses.end();
        assertEquals(List.of("first"), over);
        uses.end();
        assertEquals(List.of("first", "second"), over);
    }

    @Test
    void oneWithoutAnAccessIsNotOverWithThoseOfOthers() {
        SessionUses.Asynchronous waiting = request("waiting");
        uses.begin();
        uses.goesOn(waiting, false);
        uses.end();
        assertEquals(List.of(), over);
        assertTrue(uses.any());
        uses.goesOnNoMore(waiting);
        assertFalse(uses.any());
    }

    /** Tomcat gives up a request without a word after some errors. */
    @Test
    void oneWithoutAnAccessThatNobodyHasAnyMoreIsForgotten() {
        uses.goesOn(request("given up"), false);
        Await.that("forgotten", () -> {
            System.gc();
            return !uses.any();
        });
    }
}
