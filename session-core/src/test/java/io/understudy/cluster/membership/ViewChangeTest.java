package io.understudy.cluster.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.understudy.metrics.ReplicationMetrics;
import io.understudy.threads.Failures;
import java.util.List;
import java.util.Set;
import org.jgroups.Address;
import org.jgroups.MergeView;
import org.jgroups.View;
import org.jgroups.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a member makes of a view that was merged of several. */
@Tag("rules")
class ViewChangeTest {

    private final Address self = UUID.randomUUID();
    private final Address beside = UUID.randomUUID();
    private final Address apart = UUID.randomUUID();
    private final View whole = View.create(self, 1, self, beside, apart);
    private final View rest = View.create(self, 2, self, beside);

    private ViewChange merged(List<Address> members, View... subgroups) {
        return new ViewChange(
                new MergeView(self, 3, members, List.of(subgroups)),
                self,
                rest.getMembers(),
                List.of(),
                new Failures("n1", new ReplicationMetrics()));
    }

    @Test
    void whoWasApartIsTheOtherSide() {
        ViewChange change = merged(List.of(self, beside, apart), rest, View.create(apart, 2, apart));
        assertEquals(List.of(Set.of(apart)), change.others());
        assertEquals(Set.of(self, beside), change.together());
    }

    /** The member thawed as the merge began, and did not answer in time: no other member could ask it. */
    @Test
    void whoWasLeftOutOfAMergeIsNoSide() {
        ViewChange change = merged(List.of(self, beside), rest, whole);
        assertEquals(List.of(), change.others());
        assertEquals(Set.of(self, beside), change.together());
    }
}
