package io.understudy.codec;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Classes known for turning deserialization into code execution: from the collections ysoserial and marshalsec and what was published
 * since. Of each chain the class is here that it can't do without, and that nobody keeps in a session. What a library also
 * has values for is named class by class. A name is judged before anybody loads the class.
 *
 * <p>Threads: any; stateless.
 */
final class Gadgets {

    /** Packages, with a dot at the end, with those below; and classes, with those nested in them. */
    private static final Set<String> NAMES = Set.of(
            // Of the JDK. Without the setting 'attributeFilter' only values of it pass anyway.
            "com.sun.corba.",
            "com.sun.jndi.",
            "com.sun.org.apache.bcel.",
            "com.sun.org.apache.xalan.",
            "com.sun.org.apache.xpath.",
            "com.sun.rowset.",
            "java.beans.EventHandler",
            "java.beans.beancontext.",
            "java.lang.ProcessBuilder",
            "java.lang.Runtime",
            "java.rmi.",
            "java.security.SignedObject",
            "java.util.ServiceLoader",
            "javax.imageio.",
            "javax.management.BadAttributeValueExpException",
            "javax.management.loading.",
            "javax.management.remote.rmi.",
            "javax.naming.",
            "javax.script.",
            "javax.swing.UIDefaults",
            "javax.swing.event.EventListenerList",
            "javax.swing.undo.",
            "jdk.nashorn.",
            "sun.print.",
            "sun.reflect.annotation.",
            "sun.rmi.",
            "sun.swing.",
            // Scripts, expressions and other languages.
            "bsh.",
            "clojure.",
            "com.redhat.ceylon.compiler.java.language.SerializationProxy",
            "groovy.util.Expando",
            "org.apache.commons.jxpath.",
            "org.apache.myfaces.view.facelets.el.ValueExpressionMethodExpression",
            "org.apache.struts2.views.jasperreports.",
            "org.codehaus.groovy.runtime.",
            "org.mozilla.javascript.",
            "org.openjdk.nashorn.",
            "org.python.",
            "scala.sys.SystemProperties",
            "scala.sys.process.",
            // What calls methods, getters mostly, by their names.
            "cn.hutool.core.map.MapProxy",
            "com.fasterxml.jackson.databind.node.POJONode",
            "com.rometools.rome.feed.impl.",
            "com.sun.syndication.feed.impl.",
            "com.tangosol.coherence.rest.util.extractor.",
            "com.tangosol.util.extractor.",
            "com.tangosol.util.filter.LimitFilter",
            "com.vaadin.data.util.MethodProperty",
            "com.vaadin.data.util.NestedMethodProperty",
            "com.vaadin.v7.data.util.MethodProperty",
            "com.vaadin.v7.data.util.NestedMethodProperty",
            "net.sf.json.",
            "org.apache.click.control.Column",
            "org.apache.commons.beanutils.",
            "org.apache.commons.beanutils2.",
            "org.apache.commons.collections.functors.",
            "org.apache.commons.collections.keyvalue.TiedMapEntry",
            "org.apache.commons.collections4.functors.",
            "org.apache.commons.collections4.keyvalue.TiedMapEntry",
            "org.hibernate.engine.TypedValue",
            "org.hibernate.engine.spi.TypedValue",
            "org.hibernate.property.",
            "org.hibernate.tuple.component.",
            "org.hibernate.type.ComponentType",
            "org.jboss.interceptor.",
            // Of Weld 1: later ones keep intercepted beans in sessions by other classes of these packages.
            "org.jboss.weld.interceptor.reader.ClassMetadataInterceptorReference",
            "org.jboss.weld.interceptor.reader.DefaultMethodMetadata",
            "org.jboss.weld.interceptor.reader.ReflectiveClassMetadata",
            "org.jboss.weld.interceptor.reader.SimpleInterceptorMetadata",
            "org.springframework.aop.aspectj.",
            "org.springframework.aop.framework.",
            "org.springframework.aop.support.AbstractBeanFactoryPointcutAdvisor",
            "org.springframework.aop.support.DefaultBeanFactoryPointcutAdvisor",
            // Not SimpleBeanTargetSource, which proxies of scoped beans have.
            "org.springframework.aop.target.CommonsPool2TargetSource",
            "org.springframework.aop.target.CommonsPoolTargetSource",
            "org.springframework.aop.target.HotSwappableTargetSource",
            "org.springframework.aop.target.LazyInitTargetSource",
            "org.springframework.aop.target.PrototypeTargetSource",
            "org.springframework.aop.target.ThreadLocalTargetSource",
            "org.springframework.aop.target.dynamic.",
            "org.springframework.beans.factory.",
            "org.springframework.core.SerializableTypeWrapper",
            "tools.jackson.databind.node.POJONode",
            // What looks names up, connects, loads classes, reads other bytes or writes files.
            "cn.hutool.db.ds.",
            "com.alibaba.druid.",
            "com.atomikos.icatch.jta.RemoteClientUserTransaction",
            "com.caucho.naming.",
            "com.mchange.",
            "com.zaxxer.hikari.",
            "oracle.jdbc.connector.OracleManagedConnectionFactory",
            "oracle.jdbc.rowset.OracleJDBCRowSet",
            "org.apache.axis2.util.MetaDataEntry",
            "org.apache.bcel.",
            "org.apache.commons.configuration.ConfigurationMap",
            "org.apache.commons.configuration.JNDIConfiguration",
            "org.apache.commons.configuration2.ConfigurationMap",
            "org.apache.commons.configuration2.JNDIConfiguration",
            "org.apache.commons.dbcp.",
            "org.apache.commons.dbcp2.",
            "org.apache.commons.fileupload.",
            "org.apache.commons.fileupload2.",
            "org.apache.naming.",
            "org.apache.openjpa.ee.",
            "org.apache.shiro.jndi.",
            "org.apache.shiro.realm.jndi.",
            "org.apache.tomcat.dbcp.",
            "org.apache.tomcat.jdbc.",
            "org.apache.wicket.util.upload.",
            "org.apache.xalan.",
            "org.apache.xbean.naming.",
            "org.apache.xpath.",
            "org.aspectj.weaver.tools.cache.",
            "org.docx4j.org.apache.xalan.",
            "org.h2.jdbcx.",
            "org.htmlparser.lexer.Page",
            "org.springframework.jndi.",
            "org.springframework.transaction.jta.");

    /** Whatever class is one of these: pools and drivers connect to where the bytes say, templates are byte code. */
    private static final Set<String> KINDS =
            Set.of("javax.sql.CommonDataSource", "javax.sql.rowset.JdbcRowSet", "javax.xml.transform.Templates");

    private Gadgets() {}

    /** Why a class of this name, or an array of such, is never allowed; {@code null} if it may be. */
    static @Nullable String objection(String className) {
        String name = element(className);
        return known(name)
                ? name + " is known for turning deserialization into code execution, and never allowed"
                : null;
    }

    /** The same of a class that is there. */
    static @Nullable String objection(Class<?> type) {
        String objection = objection(type.getName());
        String kind = objection == null ? kind(type) : null;
        return kind == null
                ? objection
                : type.getName() + " is a " + kind
                        + ", which is known for turning deserialization into code execution, and never allowed";
    }

    /** As {@link Class#getName} has them: {@code [[Lcom.acme.Cart;}. */
    private static String element(String className) {
        int dimensions = 0;
        while (dimensions < className.length() && className.charAt(dimensions) == '[') {
            dimensions++;
        }
        boolean objects = dimensions > 0 && className.startsWith("L", dimensions) && className.endsWith(";");
        return objects ? className.substring(dimensions + 1, className.length() - 1) : className;
    }

    private static boolean known(String name) {
        if (NAMES.contains(name)) {
            return true;
        }
        for (int at = name.length() - 1; at > 0; at--) {
            char each = name.charAt(at);
            if ((each == '.' && NAMES.contains(name.substring(0, at + 1)))
                    || (each == '$' && NAMES.contains(name.substring(0, at)))) {
                return true;
            }
        }
        return false;
    }

    private static @Nullable String kind(@Nullable Class<?> type) {
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            if (KINDS.contains(at.getName())) {
                return at.getName();
            }
            for (Class<?> each : at.getInterfaces()) {
                String kind = kind(each);
                if (kind != null) {
                    return kind;
                }
            }
        }
        return null;
    }
}
