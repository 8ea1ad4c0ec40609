package io.understudy.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.cluster.RefusingTop.Thrown;
import io.understudy.config.UnderstudyConfig;
import io.understudy.metrics.Counter;
import io.understudy.testkit.LoopbackCluster;
import io.understudy.testkit.MovedTime;
import io.understudy.wire.Frame.BucketRequest;
import io.understudy.wire.Frame.FindRequest;
import io.understudy.wire.Frame.Refusal;
import io.understudy.wire.Frame.States;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Questions for a session that the stack does not take, and answers: they are repeated, or the asker learns that there is none. */
@Tag("cluster")
@Timeout(300)
class FailingQuestionsTest extends RefusingMembers {

    /** By a clock that stands still no look-up is given up. */
    FailingQuestionsTest() {
        super(new MovedTime());
    }

    /** The first member has a session that the second, which can't join, looks for. */
    private void startJoining(Thrown thrown) {
        List<UnderstudyConfig> configs = LoopbackCluster.configs(2, SETTINGS);
        begin(configs.get(0), new RefusingTop());
        create(0, 7, "a");
        RefusingTop joining = new RefusingTop();
        joining.refuseAll(kind(BucketRequest.class), thrown);
        join(configs.get(1), joining);
        awaitReadyFor(1, 1);
    }

    @ParameterizedTest
    @EnumSource
    void aMemberIsAskedAgainForASession(Thrown thrown) {
        startJoining(thrown);
        refuse(1, kind(FindRequest.class), thrown);
        assertTrue(groups.get(1).fetch("a"));
        assertNotNull(groups.get(1).store().header("a"));
        assertRefused();
    }

    @ParameterizedTest
    @EnumSource
    void aMemberAnswersAgainWithASession(Thrown thrown) {
        startJoining(thrown);
        refuse(0, kind(States.class), thrown);
        assertTrue(groups.get(1).fetch("a"));
        assertNotNull(groups.get(1).store().header("a"));
        assertRefused();
    }

    @ParameterizedTest
    @EnumSource
    void aMemberThatCanNotAnswerRefuses(Thrown thrown) {
        startJoining(thrown);
        tops.get(0).refuse(TRIES, kind(States.class), thrown);
        assertFalse(groups.get(1).fetch("a"));
        assertEquals(1, tops.get(0).taken(kind(Refusal.class)));
        assertTrue(groups.get(1).fetch("a"));
        assertRefused();
    }

    /** It owes no answer to a question that was not sent. */
    @ParameterizedTest
    @EnumSource
    void aMemberThatCouldNotBeAskedIsAskedNextTime(Thrown thrown) {
        start(SETTINGS);
        create(0, 7, "a");
        tops.get(1).refuse(TRIES, kind(FindRequest.class), thrown);
        groups.get(1).findUnshared("a");
        assertEquals(0, tops.get(1).taken(kind(FindRequest.class)));
        assertEquals(1, channels.get(1).services().metrics().value(Counter.QUESTIONS_UNANSWERED));
        groups.get(1).findUnshared("a");
        assertNotNull(groups.get(1).store().header("a"));
        assertRefused();
    }
}
