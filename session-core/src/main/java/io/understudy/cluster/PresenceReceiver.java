package io.understudy.cluster;

import io.understudy.cluster.membership.ApplicationNumber;
import io.understudy.cluster.membership.Members;
import io.understudy.cluster.membership.ViewInstaller;
import io.understudy.cluster.membership.WireVersions;
import io.understudy.cluster.messaging.FrameSender;
import io.understudy.cluster.restart.LastHolder;
import io.understudy.threads.Failures;
import io.understudy.wire.Frame.Counting;
import io.understudy.wire.Frame.Heard;
import io.understudy.wire.Frame.Membership;
import io.understudy.wire.Frame.Phase;
import io.understudy.wire.Frame.Presence;
import java.util.ArrayList;
import java.util.List;
import org.jgroups.Address;

/**
 * Takes what other members announce of themselves, and confirms it.
 *
 * <p>Threads: JGroups', which never wait here.
 */
final class PresenceReceiver {

    private final ApplicationGroups groups;
    private final ViewInstaller views;
    private final Members members;
    private final WireVersions versions;
    private final LastHolder lastHolder;
    private final FrameSender letters;
    private final Failures failures;

    PresenceReceiver(
            ApplicationGroups groups,
            ViewInstaller views,
            Members members,
            WireVersions versions,
            LastHolder lastHolder,
            FrameSender letters,
            Failures failures) {
        this.groups = groups;
        this.views = views;
        this.members = members;
        this.versions = versions;
        this.lastHolder = lastHolder;
        this.letters = letters;
        this.failures = failures;
    }

    void received(Address sender, Presence presence) {
        boolean shared = versions.said(sender, presence);
        said(sender, shared ? presence : presence.withoutMemberships());
    }

    private void said(Address sender, Presence presence) {
        if (views.halfWay()) {
            views.goOn(); // The member counts on being known.
        }
        List<Long> begun = new ArrayList<>();
        List<Long> counted = new ArrayList<>();
        for (Membership membership : presence.memberships()) {
            long application = ApplicationNumber.of(membership.application());
            if (!members.has(sender, application)) {
                begun.add(application);
            }
            if (membership.phase() == Phase.COUNTED
                    || (membership.phase() == Phase.READY && getsReady(sender, application))) {
                counted.add(application);
            }
        }
        if (members.said(sender, presence)) {
            begun.forEach(lastHolder::present);
            groups.present().forEach(group -> group.expiry().enter());
        }
        // A member that leaves waits for this, and says goodbye only twice.
        boolean unused = failures.insist(
                "confirming a presence", () -> letters.sendTo(sender, new Heard(presence.announcement())));
        counted.forEach(application -> failures.run(
                "counting a member; it asks again", () -> letters.sendTo(sender, new Counting(application))));
    }

    /**
     * Whether the member is ready from now on. It may have joined without this member, which is ready, as it did not
     * know of it. That it was counted before need not have come here: an announcement has what is true when it is
     * sent.
     */
    private boolean getsReady(Address member, long application) {
        ApplicationGroup here = groups.get(application);
        return here != null
                && here.ready()
                && !members.others(application, Phase.READY).contains(member);
    }
}
