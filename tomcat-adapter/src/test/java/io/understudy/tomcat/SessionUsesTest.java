package io.understudy.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** When asynchronous requests of a session object are over. */
@Tag("rules")
class SessionUsesTest {

    private final SessionUses uses = new SessionUses();
    private final List<String> over = new ArrayList<>();

    @Test
    void anAsynchronousRequestIsOverAtTheLatestWithTheLastAccess() {
        uses.begin();
        uses.begin();
        uses.endsLast(() -> over.add("first"));
        uses.endsLast(() -> over.add("second"));
        uses.end();
        assertEquals(List.of(), over);
        uses.end();
        assertEquals(List.of("first", "second"), over);
    }

    /** The end of the first gives the session's lock to the second, which is in the middle of its work. */
    @Test
    void oneThatBeginsWhileAnotherEndsIsNotOverWithIt() {
        uses.begin();
        uses.endsLast(() -> {
            over.add("first");
            uses.begin();
            uses.endsLast(() -> over.add("second"));
        });
        uses.end();
        assertEquals(List.of("first"), over);
        uses.end();
        assertEquals(List.of("first", "second"), over);
    }
}
