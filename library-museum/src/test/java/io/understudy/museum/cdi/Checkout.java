package io.understudy.museum.cdi;

import jakarta.enterprise.context.Conversation;
import jakarta.enterprise.context.ConversationScoped;
import jakarta.inject.Inject;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/** A bean of a conversation, which holds client proxies of the conversation itself and of a bean of the session. */
@ConversationScoped
public class Checkout implements Serializable {

    private static final long serialVersionUID = 1L;

    @Inject
    Conversation conversation;

    @Inject
    Cart cart;

    private final List<String> steps = new ArrayList<>();

    /** Returns the conversation's id. */
    String begin() {
        conversation.begin();
        return conversation.getId();
    }

    void step(String name) {
        steps.add(name);
    }

    void end() {
        conversation.end();
    }

    String text() {
        return String.join(" ", steps) + " of " + cart.text();
    }
}
