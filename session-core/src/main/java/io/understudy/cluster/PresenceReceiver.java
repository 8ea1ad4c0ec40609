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
import io.understudy.wire.Frame.Phase;
import io.understudy.wire.Frame.Presence;
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
        if (members.said(sender, presence)) {
            presence.memberships().forEach(there -> lastHolder.present(ApplicationNumber.of(there.application())));
            groups.present().forEach(group -> group.expiry().enter());
        }
        // A member that leaves waits for this, and says goodbye only twice.
        boolean unused = failures.insist(
                "confirming a presence", () -> letters.sendTo(sender, new Heard(presence.announcement())));
        presence.memberships().stream()
                .filter(membership -> membership.phase() == Phase.COUNTED)
                .forEach(membership -> failures.run(
                        "counting a member; it asks again",
                        () -> letters.sendTo(sender, new Counting(ApplicationNumber.of(membership.application())))));
    }
}
