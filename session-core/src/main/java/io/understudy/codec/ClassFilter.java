package io.understudy.codec;

import java.io.ObjectInputFilter;
import java.util.List;

/**
 * Which classes may be decoded: one rule for Kryo and for JDK streams. Known gadget classes never are (they turn
 * deserialization into code execution, see the ysoserial collection), and graphs are bounded.
 */
final class ClassFilter implements ObjectInputFilter {

    /** Nesting of objects in one attribute. */
    static final int MAX_DEPTH = 256;

    /** Elements of one array in a JDK stream. */
    private static final long MAX_ARRAY = 1 << 20;

    /** Objects in one JDK stream. */
    private static final long MAX_REFERENCES = 1 << 20;

    private static final List<String> GADGETS = List.of(
            "bsh.",
            "clojure.",
            "com.mchange.v2.c3p0.",
            "com.sun.org.apache.xalan.",
            "com.sun.rowset.",
            "com.sun.jndi.",
            "java.lang.ProcessBuilder",
            "java.lang.Runtime",
            "java.rmi.",
            "javax.management.BadAttributeValueExpException",
            "javax.naming.",
            "javax.script.",
            "org.apache.bcel.",
            "org.apache.commons.beanutils.",
            "org.apache.commons.collections.functors.",
            "org.apache.commons.collections4.functors.",
            "org.apache.commons.collections.keyvalue.TiedMapEntry",
            "org.apache.commons.collections4.keyvalue.TiedMapEntry",
            "org.apache.commons.fileupload.",
            "org.apache.xalan.",
            "org.codehaus.groovy.runtime.",
            "org.jboss.interceptor.",
            "org.mozilla.javascript.",
            "org.python.",
            "org.springframework.aop.framework.",
            "org.springframework.beans.factory.",
            "sun.rmi.");

    boolean allows(Class<?> type) {
        Class<?> element = type;
        while (element.isArray()) {
            element = element.getComponentType();
        }
        String name = element.getName();
        return GADGETS.stream().noneMatch(name::startsWith);
    }

    @Override
    public Status checkInput(FilterInfo info) {
        if (info.depth() > MAX_DEPTH || info.arrayLength() > MAX_ARRAY || info.references() > MAX_REFERENCES) {
            return Status.REJECTED;
        }
        Class<?> type = info.serialClass();
        return type != null && !allows(type) ? Status.REJECTED : Status.UNDECIDED;
    }
}
