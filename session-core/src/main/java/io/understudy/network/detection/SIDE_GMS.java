package io.understudy.network.detection;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.jgroups.Address;
import org.jgroups.MergeView;
import org.jgroups.View;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.pbcast.GMS;
import org.jgroups.protocols.pbcast.JoinRsp;
import org.jgroups.util.Digest;
import org.jspecify.annotations.Nullable;

/**
 * GMS that waits for acknowledgements of a merged view only from members that give one.
 *
 * <p>A member that stood still, or that the others cut off alone, still has all of them in its view when it is merged
 * in again. It sends them the merged view, and waits for their acknowledgements. They have the view from elsewhere, and
 * a view that a member has already is not acknowledged. Until the time to collect acknowledgements is over, the member
 * takes in nothing else that the merge leader sends in order, such as its announcements.
 *
 * <p>The merge leader sends the view to the coordinator of each side, and to each member that is not in the view of its
 * own view's coordinator. So a coordinator waits for those that last were in a view with it, and others for nobody.
 *
 * <p>On the wire it is GMS. Threads: as GMS.
 */
public final class SIDE_GMS extends GMS {

    public SIDE_GMS() {
        setId(ClassConfigurator.getProtocolId(GMS.class));
    }

    @Override
    public void castViewChangeAndSendJoinRsps(
            View newView,
            @Nullable Digest digest,
            Collection<Address> expected,
            @Nullable Collection<Address> joiners,
            @Nullable JoinRsp answer) {
        Collection<Address> giving =
                newView instanceof MergeView merged ? ofOwnSide(merged, expected, local_addr) : expected;
        super.castViewChangeAndSendJoinRsps(newView, digest, giving, joiners, answer);
    }

    /**
     * Those of the members that get the merged view from this one. A member is in the view of each side that has not
     * noticed its absence; it is on the side with the highest view number.
     */
    static List<Address> ofOwnSide(MergeView merged, Collection<Address> members, Address self) {
        List<View> sides = merged.getSubgroups();
        if (sides.stream().noneMatch(side -> self.equals(side.getCreator()))) {
            return List.of();
        }
        return members.stream()
                .filter(member -> sides.stream()
                        .filter(side -> side.containsMember(member))
                        .max(Comparator.comparingLong(side -> side.getViewId().getId()))
                        .map(side -> self.equals(side.getCreator()))
                        .orElse(true))
                .toList();
    }
}
