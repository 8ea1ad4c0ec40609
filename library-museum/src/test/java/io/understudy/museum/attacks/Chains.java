package io.understudy.museum.attacks;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The chains of ysoserial, each with the classes that give it away on a class path, and the payloads that are here. */
final class Chains {

    private Chains() {}

    /** A class without which the library can't have the chain, in any of its releases. */
    static Map<String, List<String>> markers() {
        Map<String, List<String>> markers = new LinkedHashMap<>();
        markers.put("AspectJWeaver", List.of("org.aspectj.weaver.tools.cache.SimpleCache$StoreableCachingMap"));
        markers.put("BeanShell1", List.of("bsh.XThis"));
        markers.put(
                "C3P0",
                List.of(
                        "com.mchange.v2.c3p0.impl.PoolBackedDataSourceBase",
                        "com.mchange.v2.c3p0.PoolBackedDataSource"));
        markers.put("Click1", List.of("org.apache.click.control.Column"));
        markers.put("Clojure", List.of("clojure.lang.IFn"));
        String beans = "org.apache.commons.beanutils";
        markers.put("CommonsBeanutils1", List.of(beans + ".BeanComparator", beans + "2.BeanComparator"));
        for (String chain : List.of("1", "3", "5", "6", "7")) {
            markers.put("CommonsCollections" + chain, List.of("org.apache.commons.collections.map.LazyMap"));
        }
        for (String chain : List.of("2", "4")) {
            markers.put(
                    "CommonsCollections" + chain,
                    List.of("org.apache.commons.collections4.comparators.TransformingComparator"));
        }
        markers.put("CommonsLang3", List.of("org.apache.commons.lang3.compare.ObjectToStringComparator"));
        // The second edition's is not serializable, and nothing is restored of it.
        markers.put("FileUpload1", List.of("org.apache.commons.fileupload.disk.DiskFileItem"));
        markers.put("Groovy1", List.of("org.codehaus.groovy.runtime.ConvertedClosure"));
        for (String chain : List.of("1", "2")) {
            markers.put(
                    "Hibernate" + chain,
                    List.of("org.hibernate.engine.spi.TypedValue", "org.hibernate.engine.TypedValue"));
            markers.put("MozillaRhino" + chain, List.of("org.mozilla.javascript.NativeJavaObject"));
            markers.put(
                    "Myfaces" + chain,
                    List.of(
                            "org.apache.myfaces.view.facelets.el.ValueExpressionMethodExpression",
                            "org.apache.myfaces.el.CompositeELResolver"));
            markers.put("Spring" + chain, List.of("org.springframework.core.SerializableTypeWrapper"));
        }
        markers.put("H2", List.of("org.h2.jdbcx.JdbcDataSource"));
        markers.put("JBossInterceptors1", List.of("org.jboss.interceptor.proxy.InterceptorMethodHandler"));
        markers.put("JRMPClient", List.of("java.rmi.server.RemoteObjectInvocationHandler"));
        markers.put("JRMPListener", List.of("java.rmi.server.UnicastRemoteObject"));
        markers.put("JSON1", List.of("net.sf.json.JSONObject"));
        markers.put("Jackson by target sources", List.of("com.fasterxml.jackson.databind.node.POJONode"));
        markers.put("Jackson 3 by target sources", List.of("tools.jackson.databind.node.POJONode"));
        markers.put("JavassistWeld1", List.of("org.jboss.weld.interceptor.reader.ReflectiveClassMetadata"));
        markers.put("Jdk7u21", List.of("sun.reflect.annotation.AnnotationInvocationHandler"));
        markers.put("Jython1", List.of("org.python.core.PyFunction", "org.python.core.PyObject"));
        markers.put("PostgreSQL", List.of("org.postgresql.ds.PGSimpleDataSource"));
        markers.put(
                "ROME", List.of("com.rometools.rome.feed.impl.ObjectBean", "com.sun.syndication.feed.impl.ObjectBean"));
        markers.put("Scala1", List.of("scala.sys.process.ProcessBuilderImpl"));
        markers.put("Spring AOP", List.of("org.springframework.aop.aspectj.AspectJAroundAdvice"));
        markers.put("Spring JTA", List.of("org.springframework.transaction.jta.JtaTransactionManager"));
        markers.put("Tomcat naming", List.of("org.apache.naming.ResourceRef"));
        markers.put("URLDNS", List.of("java.net.URL"));
        markers.put(
                "Vaadin1",
                List.of("com.vaadin.data.util.NestedMethodProperty", "com.vaadin.v7.data.util.NestedMethodProperty"));
        // Later ones keep uploads by the second edition of FileUpload.
        markers.put(
                "Wicket1",
                List.of("org.apache.wicket.util.upload.DiskFileItem", "org.apache.wicket.util.upload.FileItem"));
        return markers;
    }

    static List<Payload> payloads() {
        return Stream.of(
                        JdkPayloads.all(),
                        CommonsPayloads.all(),
                        SpringPayloads.all(),
                        JacksonPayloads.all(),
                        LibraryPayloads.all())
                .flatMap(List::stream)
                .toList();
    }
}
