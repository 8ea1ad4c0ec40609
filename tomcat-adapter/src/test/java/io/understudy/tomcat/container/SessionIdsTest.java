package io.understudy.tomcat.container;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("rules")
class SessionIdsTest {

    @Test
    void theRouteIsWhatFollowsTheLastDot() {
        assertEquals("ABC", SessionIds.bare("ABC.node1"));
        assertEquals("node0abc.def", SessionIds.bare("node0abc.def.node1"));
    }

    @Test
    void anIdWithoutRouteIsItself() {
        assertEquals("ABC", SessionIds.bare("ABC"));
        assertEquals(".ABC", SessionIds.bare(".ABC"));
        assertEquals("", SessionIds.bare(""));
    }

    @Test
    void eachNodeAppendsItsOwnRoute() {
        assertEquals("ABC.node2", SessionIds.routed(SessionIds.bare("ABC.node1"), "node2"));
        assertEquals("ABC", SessionIds.routed("ABC", null));
    }
}
