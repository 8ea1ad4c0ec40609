package io.understudy.cluster;

import java.util.List;
import org.jgroups.Message;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.stack.Protocol;
import org.jgroups.util.MessageBatch;

/** A protocol of tests that decides what becomes of each message on its way up. */
public final class Interference extends Protocol {

    /** What comes of a message. */
    public interface Rule {
        /** The messages that go up instead of this one, in this order. */
        List<Message> instead(Message message);
    }

    static {
        ClassConfigurator.addProtocol((short) 4299, Interference.class);
    }

    private final Rule rule;

    public Interference(Rule rule) {
        this.rule = rule;
    }

    /** Lets a message go up that the rule kept back. */
    void pass(Message message) {
        up_prot.up(message);
    }

    @Override
    public Object up(Message message) {
        rule.instead(message).forEach(up_prot::up);
        return null;
    }

    @Override
    public void up(MessageBatch batch) {
        batch.forEach(this::up);
    }
}
