package io.understudy.cluster;

import io.understudy.cluster.membership.Members;
import io.understudy.cluster.membership.ViewInstaller;
import io.understudy.cluster.messaging.FrameSender;
import io.understudy.cluster.restart.LastHolder;
import io.understudy.threads.ChannelThreads;
import io.understudy.threads.Failures;
import io.understudy.wire.Frame;
import io.understudy.wire.Frame.BucketRequest;
import io.understudy.wire.Frame.LastAnswer;
import io.understudy.wire.Frame.LastRequest;
import io.understudy.wire.Frame.Refusal;
import io.understudy.wire.Frame.Request;
import java.util.function.Supplier;
import org.jgroups.Address;

/**
 * Answers what other members request, in threads of its own.
 *
 * <p>Threads: JGroups', which never wait here.
 */
final class RequestAnswerer {

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
            answer(sender, last, () -> new LastAnswer(last.request(), lastHolder.asked(sender, last)));
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
        boolean unused =
                failures.insist("refusing an answer", () -> letters.sendTo(sender, new Refusal(request.request())));
    }
}
