package io.understudy.network.stack;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jgroups.JChannel;
import org.jgroups.annotations.Property;
import org.jgroups.stack.Protocol;
import org.jgroups.util.Util;
import org.jspecify.annotations.Nullable;

/**
 * What our settings made of a stack, where JGroups would put system properties in its place, such as {@code jgroups.bind_addr}. These are of the whole process and
 * meant for somebody else's channel: ours would talk on another interface than the one by which {@code security} was decided.
 */
final class StackProperties {

    private static final Logger LOG = System.getLogger(StackProperties.class.getName());

    /** What one field of a protocol has to be. */
    private record Own(
            Protocol protocol, Field field, @Nullable Object value) {
        void restore() {
            Util.setField(field, protocol, value);
        }
    }

    private StackProperties() {}

    /** A channel with these protocols, as they are. */
    static JChannel channel(String node, List<Protocol> protocols) throws Exception {
        List<Own> all = new ArrayList<>();
        Set<String> passedOver = new TreeSet<>();
        for (Protocol protocol : protocols) {
            for (Class<?> type = protocol.getClass(); type != null; type = type.getSuperclass()) {
                for (Field field : type.getDeclaredFields()) {
                    if (isSet(field, passedOver)) {
                        all.add(new Own(protocol, field, Util.getField(field, protocol)));
                    }
                }
            }
        }
        JChannel channel = new JChannel(protocols);
        all.forEach(Own::restore);
        if (!passedOver.isEmpty()) {
            LOG.log(
                    Level.INFO,
                    "{0} - ignores the system properties {1}, which configure other JGroups channels of this "
                            + "process: this node uses Understudy''s settings only",
                    node,
                    passedOver);
        }
        return channel.name(node);
    }

    private static boolean isSet(Field field, Set<String> found) {
        Property property = field.getAnnotation(Property.class);
        boolean set = false;
        for (String name : property == null ? new String[0] : property.systemProperty()) {
            if (System.getProperty(name) != null) {
                found.add(name);
                set = true;
            }
        }
        return set;
    }
}
