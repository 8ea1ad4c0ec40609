package io.understudy.cluster;

import io.understudy.cluster.membership.Members;
import io.understudy.cluster.membership.ViewInstaller;
import io.understudy.cluster.messaging.FrameSender;
import io.understudy.cluster.restart.LastHolder;
import io.understudy.cluster.restart.OrderlyLeave;
import io.understudy.threads.ChannelThreads;
import io.understudy.threads.Failures;
import io.understudy.wire.Frame;
import io.understudy.wire.Frame.BucketRequest;
import io.understudy.wire.Frame.LastAnswer;
import io.understudy.wire.Frame.LastRequest;
import io.understudy.wire.Frame.Refusal;
import io.understudy.wire.Frame.Request;
import io.understudy.wire.Frame.Stage;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jgroups.Address;

/**
 * Answers what other members request, in threads of its own.
 *
 * <p>Threads: JGroups', which never wait here.
 */
final class RequestAnswerer {

    /** A member that stops hands over its sessions of an application. */
    private record TakeOver(Address member, long application) {}

    private final Set<TakeOver> underWay = ConcurrentHashMap.newKeySet();
    private final ApplicationGroups groups;
    private final ViewInstaller views;
    private final Members members;
    private final LastHolder lastHolder;
    private final FrameSender letters;
    private final ChannelThreads threads;
    private final Failures failures;

    RequestAnswerer(
            ApplicationGroups groups,
            ViewInstaller views,
            Members members,
            LastHolder lastHolder,
            FrameSender letters,
            ChannelThreads threads,
            Failures failures) {
        this.groups = groups;
        this.views = views;
        this.members = members;
        this.lastHolder = lastHolder;
        this.letters = letters;
        this.threads = threads;
        this.failures = failures;
    }

    void answer(Address sender, Request request) {
        if (request instanceof LastRequest last) {
            leaves(sender, last);
            return;
        }
        ApplicationGroup group = groups.held(request.application());
        if (group == null && !(request instanceof BucketRequest)) {
            return; // Who wants to compare learns at once that there is nothing; others ask again in their own time.
        }
        boolean member = members.view().contains(sender)
                && !(request instanceof BucketRequest buckets && buckets.view() > views.number());
        answer(sender, request, () -> member && group != null ? group.answer(request) : new Refusal(request.request()));
    }

    private void leaves(Address sender, LastRequest last) {
        if (!members.view().contains(sender)) {
            refuse(sender, last);
        } else if (last.stage() == Stage.HANDS_OVER) {
            takeOver(sender, last);
        } else {
            answer(sender, last, () -> new LastAnswer(last.request(), lastHolder.asked(sender, last)));
        }
    }

    /** Takes what the sender, which stops, has more. Who asks twice is refused, and asks again. */
    private void takeOver(Address sender, LastRequest last) {
        TakeOver takeOver = new TakeOver(sender, last.application());
        if (!underWay.add(takeOver)) {
            refuse(sender, last);
            return;
        }
        boolean taking = threads.executeAsking("taking over sessions of a member that stops", () -> {
            boolean taken = false;
            try {
                taken = taken(takeOver);
            } finally {
                underWay.remove(takeOver);
                answered(sender, new LastAnswer(last.request(), taken));
            }
        });
        if (!taking) {
            underWay.remove(takeOver);
            refuse(sender, last);
        }
    }

    private boolean taken(TakeOver takeOver) {
        ApplicationGroup group = groups.get(takeOver.application());
        return group != null
                && group.ready()
                && OrderlyLeave.takeOver(
                        group.stopping(),
                        takeOver.member(),
                        () -> members.view().contains(takeOver.member()))
                && groups.holds(takeOver.application());
    }

    /** The asker waits for an answer: if there is none it is refused, and asks again, or another member. */
    private void answer(Address sender, Request request, Supplier<Frame> answer) {
        boolean answering = threads.executeAnswering("answering a member", () -> {
            if (!failures.insist("answering a member", () -> letters.sendTo(sender, answer.get()))) {
                refuse(sender, request);
            }
        });
        if (!answering) {
            refuse(sender, request);
        }
    }

    private void refuse(Address sender, Request request) {
        answered(sender, new Refusal(request.request()));
    }

    private void answered(Address sender, Frame answer) {
        boolean unused = failures.insist("answering a member", () -> letters.sendTo(sender, answer));
    }
}
