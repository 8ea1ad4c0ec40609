package io.understudy.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Output;
import io.understudy.codec.classes.ClassFilter;
import io.understudy.codec.classes.ClassList;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectStreamConstants;
import java.net.URLClassLoader;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The published chains of classes that run code when they are read: of each, the class that it can't do without is refused
 * by its name, before anybody loads it. Its library need not be here.
 */
@Tag("rules")
class KnownAttacksTest {

    private static final String REASON = " is known for turning deserialization into code execution";

    /** Allows whatever a setting can allow. */
    private static GuardedCodec codec() {
        return new GuardedCodec(KnownAttacksTest.class::getClassLoader, Set.of(), "*", ClassList.any());
    }

    /** A JDK stream that begins with a description. */
    private static byte[] stream(byte... description) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(1);
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeShort(ObjectStreamConstants.STREAM_MAGIC);
            out.writeShort(ObjectStreamConstants.STREAM_VERSION);
            out.writeByte(ObjectStreamConstants.TC_OBJECT);
            out.write(description);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return bytes.toByteArray();
    }

    /** The description of a class without fields, which extends nothing. */
    private static byte[] described(String className) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(ObjectStreamConstants.TC_CLASSDESC);
            out.writeUTF(className);
            out.writeLong(1);
            out.writeByte(ObjectStreamConstants.SC_SERIALIZABLE);
            out.writeShort(0);
            out.writeByte(ObjectStreamConstants.TC_ENDBLOCKDATA);
            out.writeByte(ObjectStreamConstants.TC_NULL);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return bytes.toByteArray();
    }

    /** The description of a proxy. */
    private static byte[] proxy(String interfaceName) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(ObjectStreamConstants.TC_PROXYCLASSDESC);
            out.writeInt(1);
            out.writeUTF(interfaceName);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return bytes.toByteArray();
    }

    /** An object in Kryo's form: its class by a name that was not there before. */
    private static byte[] kryo(String className) {
        Output out = new Output(64, -1);
        out.writeByte(0);
        out.writeVarInt(1, true);
        out.writeVarInt(0, true);
        out.writeString(className);
        out.writeVarInt(Kryo.NOT_NULL, true);
        out.writeBytes(new byte[64]);
        return out.toBytes();
    }

    private static void assertRefused(byte[] bytes, String reason) {
        try (GuardedCodec codec = codec()) {
            NotDecodableException refused = assertThrows(NotDecodableException.class, () -> codec.decode(bytes));
            assertTrue(refused.getMessage().contains(reason), refused.getMessage());
        }
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "AspectJ weaver, org.aspectj.weaver.tools.cache.SimpleCache$StoreableCachingMap",
        "Atomikos, com.atomikos.icatch.jta.RemoteClientUserTransaction",
        "Axis 2, org.apache.axis2.util.MetaDataEntry",
        "BCEL, com.sun.org.apache.bcel.internal.util.ClassLoader",
        "BeanShell, bsh.XThis",
        "BeanShell, bsh.Interpreter",
        "C3P0, com.mchange.v2.c3p0.impl.PoolBackedDataSourceBase",
        "C3P0, com.mchange.v2.c3p0.WrapperConnectionPoolDataSource",
        "C3P0, com.mchange.v2.naming.ReferenceIndirector$ReferenceSerialized",
        "Ceylon, com.redhat.ceylon.compiler.java.language.SerializationProxy",
        "Click, org.apache.click.control.Column$ColumnComparator",
        "Clojure, clojure.core$comp",
        "Clojure, clojure.core$constantly$fn__5740",
        "Clojure, clojure.core$partial$fn__5908",
        "Clojure, clojure.lang.AFunction",
        "Clojure, clojure.lang.Cycle",
        "Clojure, clojure.lang.Iterate",
        "Clojure, clojure.lang.LazySeq",
        "Clojure, clojure.lang.RestFn",
        "Clojure, clojure.main$eval_opt",
        "Clojure, clojure.inspector.proxy$javax.swing.table.AbstractTableModel$ff19274a",
        "Coherence, com.tangosol.util.extractor.ReflectionExtractor",
        "Coherence, com.tangosol.util.filter.LimitFilter",
        "Coherence, com.tangosol.coherence.rest.util.extractor.MvelExtractor",
        "Commons BeanUtils, org.apache.commons.beanutils.BeanComparator",
        "Commons BeanUtils, org.apache.commons.beanutils.ConvertingWrapDynaBean",
        "Commons BeanUtils, org.apache.commons.beanutils.WrapDynaBean",
        "Commons BeanUtils 2, org.apache.commons.beanutils2.BeanComparator",
        "Commons Collections, org.apache.commons.collections.functors.InvokerTransformer",
        "Commons Collections, org.apache.commons.collections.functors.InstantiateTransformer",
        "Commons Collections, org.apache.commons.collections.keyvalue.TiedMapEntry",
        "Commons Collections 4, org.apache.commons.collections4.functors.InvokerTransformer",
        "Commons Collections 4, org.apache.commons.collections4.keyvalue.TiedMapEntry",
        "Commons Configuration, org.apache.commons.configuration.JNDIConfiguration",
        "Commons Configuration 2, org.apache.commons.configuration2.JNDIConfiguration",
        "Commons DBCP, org.apache.commons.dbcp.datasources.SharedPoolDataSource",
        "Commons DBCP 2, org.apache.commons.dbcp2.datasources.PerUserPoolDataSource",
        "Commons DBCP in Tomcat, org.apache.tomcat.dbcp.dbcp2.datasources.SharedPoolDataSource",
        "Commons FileUpload, org.apache.commons.fileupload.disk.DiskFileItem",
        "Commons JXPath, org.apache.commons.jxpath.ri.model.VariablePointer",
        "Druid, com.alibaba.druid.pool.xa.DruidXADataSource",
        "Groovy, org.codehaus.groovy.runtime.ConvertedClosure",
        "Groovy, org.codehaus.groovy.runtime.MethodClosure",
        "Groovy, groovy.util.Expando",
        "H2, org.h2.jdbcx.JdbcDataSource",
        "Hibernate 4, org.hibernate.property.BasicPropertyAccessor$BasicGetter",
        "Hibernate 5, org.hibernate.property.access.spi.GetterMethodImpl",
        "Hibernate 6, org.hibernate.property.access.spi.GetterMethodImpl$SerialForm",
        "Hibernate, org.hibernate.engine.spi.TypedValue",
        "Hibernate, org.hibernate.tuple.component.PojoComponentTuplizer",
        "Hibernate, org.hibernate.type.ComponentType",
        "Hikari, com.zaxxer.hikari.HikariDataSource",
        "HTML Parser, org.htmlparser.lexer.Page",
        "Hutool, cn.hutool.core.map.MapProxy",
        "Hutool, cn.hutool.db.ds.jndi.JndiDSFactory",
        "Jackson 2, com.fasterxml.jackson.databind.node.POJONode",
        "Jackson 3, tools.jackson.databind.node.POJONode",
        "JBoss interceptors, org.jboss.interceptor.proxy.InterceptorMethodHandler",
        "JDK, java.beans.EventHandler",
        "JDK, java.beans.beancontext.BeanContextSupport",
        "JDK, java.security.SignedObject",
        "JDK, javax.management.BadAttributeValueExpException",
        "JDK, javax.management.remote.rmi.RMIConnector",
        "JDK, javax.naming.spi.ContinuationDirContext",
        "JDK, javax.script.ScriptEngineManager",
        "JDK, javax.swing.UIDefaults$TextAndMnemonicHashMap",
        "JDK, javax.swing.event.EventListenerList",
        "JDK, javax.swing.undo.UndoManager",
        "JDK, com.sun.jndi.ldap.LdapAttribute",
        "JDK, com.sun.org.apache.xpath.internal.objects.XString",
        "JDK, com.sun.rowset.JdbcRowSetImpl",
        "JDK, sun.print.UnixPrintServiceLookup",
        "JDK, sun.reflect.annotation.AnnotationInvocationHandler",
        "JDK, sun.swing.SwingLazyValue",
        "JRMP, java.rmi.server.UnicastRemoteObject",
        "JRMP, sun.rmi.server.UnicastRef",
        "JSON-lib, net.sf.json.JSONObject",
        "Jython, org.python.core.PyFunction",
        "MyFaces, org.apache.myfaces.view.facelets.el.ValueExpressionMethodExpression",
        "Nashorn, jdk.nashorn.internal.objects.NativeString",
        "Nashorn, org.openjdk.nashorn.internal.objects.NativeString",
        "OpenJPA, org.apache.openjpa.ee.RegistryManagedRuntime",
        "Oracle, oracle.jdbc.rowset.OracleJDBCRowSet",
        "Resin, com.caucho.naming.QName",
        "Rhino, org.mozilla.javascript.NativeJavaObject",
        "ROME, com.rometools.rome.feed.impl.ToStringBean",
        "ROME 1, com.sun.syndication.feed.impl.ObjectBean",
        "Scala, scala.sys.process.ProcessBuilderImpl$FileOutput$$anonfun$$lessinit$greater$3",
        "Scala, scala.sys.SystemProperties$$anonfun$wrapAccess$1",
        "Shiro, org.apache.shiro.jndi.JndiObjectFactory",
        "Spring AOP, org.springframework.aop.aspectj.AspectJAroundAdvice",
        "Spring AOP, org.springframework.aop.support.DefaultBeanFactoryPointcutAdvisor",
        "Spring AOP, org.springframework.aop.target.HotSwappableTargetSource",
        "Spring AOP, org.springframework.aop.target.LazyInitTargetSource",
        "Spring AOP, org.springframework.aop.target.PrototypeTargetSource",
        "Spring beans, org.springframework.beans.factory.ObjectFactory",
        "Spring beans, org.springframework.beans.factory.config.MethodInvokingFactoryBean",
        "Spring beans, org.springframework.beans.factory.support.AutowireUtils$ObjectFactoryDelegatingInvocationHandler",
        "Spring beans, org.springframework.beans.factory.support.DisposableBeanAdapter",
        "Spring beans, org.springframework.beans.factory.config.PropertyPathFactoryBean",
        "Spring core, org.springframework.core.SerializableTypeWrapper$MethodInvokeTypeProvider",
        "Spring JNDI, org.springframework.jndi.support.SimpleJndiBeanFactory",
        "Spring JNDI, org.springframework.jndi.JndiObjectTargetSource",
        "Spring transactions, org.springframework.transaction.jta.JtaTransactionManager",
        "Struts 2, org.apache.struts2.views.jasperreports.ValueStackShadowMap",
        "Tomcat naming, org.apache.naming.ResourceRef",
        "Vaadin 7, com.vaadin.data.util.NestedMethodProperty",
        "Vaadin 7, com.vaadin.data.util.MethodProperty",
        "Vaadin 8, com.vaadin.v7.data.util.NestedMethodProperty",
        "Weld, org.jboss.weld.interceptor.reader.ReflectiveClassMetadata",
        "Weld, org.jboss.weld.interceptor.reader.SimpleInterceptorMetadata",
        "Wicket, org.apache.wicket.util.upload.DiskFileItem",
        "Xalan, org.apache.xalan.xsltc.trax.TemplatesImpl",
        "Xalan in the JDK, com.sun.org.apache.xalan.internal.xsltc.trax.TemplatesImpl",
        "Xalan in docx4j, org.docx4j.org.apache.xalan.lib.sql.JNDIConnectionPool",
        "Xalan, org.apache.xpath.objects.XString",
        "XBean, org.apache.xbean.naming.context.ContextUtil$ReadOnlyBinding",
    })
    void theClassOfAChainIsRefusedByName(String chain, String className) {
        assertRefused(stream(described(className)), className + REASON);
        assertRefused(kryo(className), className + REASON);
    }

    @Test
    void arraysProxiesAndNestedClassesOfThemAreRefusedToo() {
        String name = "org.springframework.aop.target.HotSwappableTargetSource";
        assertRefused(stream(described("[[L" + name + ";")), name + REASON);
        assertRefused(kryo("[L" + name + ";"), name + REASON);
        assertRefused(stream(described(name + "$Nested$1")), name + "$Nested$1" + REASON);
        assertRefused(stream(proxy("org.apache.xalan.Any")), "org.apache.xalan.Any" + REASON);
    }

    /** Values of the same libraries, some in the same packages. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "clojure.lang.ExceptionInfo",
                "clojure.lang.Keyword",
                "clojure.lang.PersistentHashMap$BitmapIndexedNode",
                "clojure.lang.PersistentVector",
                "clojure.lang.RT$DefaultComparator",
                "com.fasterxml.jackson.databind.node.ObjectNode",
                "com.rometools.rome.feed.synd.SyndFeedImpl",
                "com.vaadin.data.util.IndexedContainer",
                "com.vaadin.server.VaadinSession",
                "groovy.lang.IntRange",
                "org.apache.click.control.Form",
                "org.apache.commons.beanutils.BasicDynaBean",
                "org.apache.commons.beanutils2.LazyDynaMap",
                "org.apache.commons.collections4.map.LinkedMap",
                "org.apache.shiro.subject.SimplePrincipalCollection",
                "org.apache.shiro.web.util.SavedRequest",
                "org.hibernate.collection.spi.PersistentBag",
                "org.hibernate.proxy.pojo.bytebuddy.SerializableProxy",
                "org.jboss.weld.interceptor.proxy.InterceptionContext",
                "org.jboss.weld.interceptor.reader.InterceptorMetadataImpl",
                "org.postgresql.util.PGobject",
                "org.springframework.aop.scope.DefaultScopedObject",
                "org.springframework.aop.support.DelegatingIntroductionInterceptor",
                "org.springframework.aop.target.SimpleBeanTargetSource",
                "org.springframework.beans.factory.DisposableBean",
                "org.springframework.beans.factory.InitializingBean",
                "org.springframework.security.core.context.SecurityContextImpl",
                "org.springframework.transaction.TransactionTimedOutException",
                "scala.collection.immutable.LazyList",
                "bshell.Cart",
                "com.acme.bsh.Cart"
            })
    void valuesOfTheirLibrariesAreNot(String className) {
        for (byte[] bytes : new byte[][] {stream(described(className)), kryo(className)}) {
            try (GuardedCodec codec = codec()) {
                NotDecodableException missing = assertThrows(NotDecodableException.class, () -> codec.decode(bytes));
                assertFalse(missing.getMessage().contains(REASON), missing.getMessage());
            }
        }
    }

    /** Whatever pool or driver it is of: its getters connect to where the bytes say. */
    @ParameterizedTest
    @ValueSource(strings = {"javax.sql.DataSource", "javax.sql.XADataSource", "javax.xml.transform.Templates"})
    void whatIsOfADangerousKindIsRefused(String kind) throws Exception {
        String name = "com.acme.pool.Any";
        String base = "com.acme.pool.Base";
        try (URLClassLoader loader = Compiled.loader(Map.of(
                base,
                "package com.acme.pool; public abstract class Base implements " + kind + " {}",
                name,
                "package com.acme.pool; public abstract class Any extends Base {}"))) {
            ClassFilter filter = new ClassFilter(() -> loader, Set.of(), "*", ClassList.any());
            String objection = filter.objection(loader.loadClass(name));
            assertNotNull(objection);
            assertTrue(objection.startsWith(name + " is a "), objection);
            assertTrue(objection.contains(REASON), objection);
            assertEquals(objection, filter.objectionToOrigin(loader.loadClass(name)));
        }
    }
}
