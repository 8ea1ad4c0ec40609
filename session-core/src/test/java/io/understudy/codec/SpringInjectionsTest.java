package io.understudy.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.codec.classes.ClassList;
import io.understudy.codec.classes.WrittenHandler;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamConstants;
import java.io.Serializable;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.Pointcut;
import org.springframework.aop.support.AbstractBeanFactoryPointcutAdvisor;
import org.springframework.aop.target.SimpleBeanTargetSource;
import org.springframework.beans.factory.ObjectFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.AutowireCapableBeanFactory;
import org.springframework.beans.factory.config.DependencyDescriptor;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.context.support.WebApplicationContextUtils;

/** What Spring injects into beans of sessions comes back, and bytes that put anything else there run nothing. */
@Tag("rules")
class SpringInjectionsTest {

    private static final String REASON = " is known for turning deserialization into code execution";

    private static final String HANDLER =
            "org.springframework.beans.factory.support.AutowireUtils$ObjectFactoryDelegatingInvocationHandler";

    /** An application's bean. */
    @SuppressWarnings({"NullAway", "unused"}) // Spring sets the fields, which have the types of dependencies.
    private static final class Shop implements Serializable {

        private static final long serialVersionUID = 1L;

        private HttpServletRequest request;
        private HttpServletResponse response;
        private HttpSession session;
        private WebRequest webRequest;
        private final Object made;
        private final Object provided;

        Shop(ObjectFactory<String> made, ObjectProvider<String> provided) {
            this.made = made;
            this.provided = provided;
        }
    }

    private static DefaultListableBeanFactory factory() {
        DefaultListableBeanFactory factory = new DefaultListableBeanFactory();
        factory.setSerializationId("injections");
        factory.registerSingleton("greeting", "hello");
        WebApplicationContextUtils.registerWebApplicationScopes(factory);
        return factory;
    }

    /** The application's, which Spring holds weakly. */
    private static final DefaultListableBeanFactory FACTORY = factory();

    private static GuardedCodec codec() {
        return new GuardedCodec(SpringInjectionsTest.class::getClassLoader, Set.of(), "", ClassList.any());
    }

    private static Object passed(Object value) throws Exception {
        try (GuardedCodec codec = codec()) {
            return codec.decode(codec.encode(value));
        }
    }

    private static Object injected(String field) throws Exception {
        return FACTORY.resolveDependency(new DependencyDescriptor(Shop.class.getDeclaredField(field), true), "shop");
    }

    private static Object factoryOf(Object proxy) throws Exception {
        InvocationHandler handler = Proxy.getInvocationHandler(proxy);
        Field factory = handler.getClass().getDeclaredField("objectFactory");
        factory.setAccessible(true);
        return factory.get(handler);
    }

    /** As its writer made it, without any filter. */
    private static byte[] stream(Object value) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(1);
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(value);
        }
        return bytes.toByteArray();
    }

    private static void assertUnreadable(byte[] bytes, String reason) {
        try (GuardedCodec codec = codec()) {
            NotDecodableException refused = assertThrows(NotDecodableException.class, () -> codec.decode(bytes));
            assertTrue(refused.getMessage().contains(reason), refused.getMessage());
        }
    }

    private static void assertStays(Object value, String reason) {
        try (GuardedCodec codec = codec()) {
            NotReplicableException refused = assertThrows(NotReplicableException.class, () -> codec.encode(value));
            assertTrue(refused.getMessage().contains(reason), refused.getMessage());
        }
    }

    /** The setting rejects what readers make of it: the writer knows that, too. */
    @Test
    void whatTheSettingRejectsIsNotWritten() throws Exception {
        assertRejected("!org.springframework.beans.factory.support.*", injected("request"));
        Object shop = FACTORY.autowire(Shop.class, AutowireCapableBeanFactory.AUTOWIRE_CONSTRUCTOR, true);
        assertRejected("!org.springframework.beans.factory.ObjectFactory", shop);
    }

    private static void assertRejected(String attributeFilter, Object value) {
        try (GuardedCodec codec = new GuardedCodec(
                SpringInjectionsTest.class::getClassLoader, Set.of(), attributeFilter, ClassList.any())) {
            NotReplicableException refused = assertThrows(NotReplicableException.class, () -> codec.encode(value));
            assertTrue(refused.getMessage().contains("'attributeFilter' rejects"), refused.getMessage());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"request", "response", "session", "webRequest"})
    void whatFindsTheCurrentRequestComesBack(String field) throws Exception {
        Object proxy = injected(field);
        List<?> copies = (List<?>) passed(List.of(proxy, proxy));
        Object copy = copies.get(0);
        assertSame(copy, copies.get(1));
        assertTrue(Shop.class.getDeclaredField(field).getType().isInstance(copy));
        assertEquals(HANDLER, Proxy.getInvocationHandler(copy).getClass().getName());
        assertEquals(factoryOf(proxy).getClass(), factoryOf(copy).getClass());
    }

    @Test
    void providersFindTheirBeans() throws Exception {
        Shop shop = (Shop) FACTORY.autowire(Shop.class, AutowireCapableBeanFactory.AUTOWIRE_CONSTRUCTOR, false);
        Shop copy = (Shop) passed(shop);
        assertEquals("hello", ((ObjectFactory<?>) copy.made).getObject());
        assertEquals("hello", ((ObjectProvider<?>) copy.provided).getObject());
    }

    private static final AtomicInteger CALLS = new AtomicInteger();

    /** A factory that does what an attacker wants. */
    private static final class Attack implements ObjectFactory<Object>, Serializable {

        private static final long serialVersionUID = 1L;

        @Override
        public Object getObject() {
            return CALLS.incrementAndGet();
        }
    }

    /** Calls a proxy when it is read, as maps and queues do. */
    private static final class Caller implements Serializable {

        private static final long serialVersionUID = 1L;

        private final Object proxy;

        Caller(Object proxy) {
            this.proxy = proxy;
        }

        @SuppressWarnings("unchecked") // A proxy takes any argument.
        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            ((Comparable<Object>) proxy).compareTo(0);
        }
    }

    private static Object proxy(Class<?> type, InvocationHandler handler) {
        return Proxy.newProxyInstance(SpringInjectionsTest.class.getClassLoader(), new Class<?>[] {type}, handler);
    }

    private static InvocationHandler handler(ObjectFactory<?> factory) throws Exception {
        Constructor<?> constructor = Class.forName(HANDLER).getDeclaredConstructor(ObjectFactory.class);
        constructor.setAccessible(true);
        return (InvocationHandler) constructor.newInstance(factory);
    }

    @Test
    void anotherFactoryInTheHandlerIsNeverCalled() throws Exception {
        Caller caller = new Caller(proxy(Comparable.class, handler(new Attack())));
        byte[] bytes = stream(caller);
        CALLS.set(0);
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes, 1, bytes.length - 1))) {
            in.readObject(); // Without a filter.
        }
        assertEquals(1, CALLS.getAndSet(0));
        assertUnreadable(bytes, HANDLER + REASON);
        assertStays(caller, HANDLER + REASON);
        assertEquals(0, CALLS.get());
    }

    @Test
    void bytesNameTheHandlerWithNoFactoryAtAll() throws Exception {
        assertUnreadable(stream(injected("request")), HANDLER + REASON);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "FacesDependencyRegistrar", "RequestObjectFactory$1"})
    void otherFactoriesCannotBeNamed(String factory) throws Exception {
        assertUnreadable(stream(new WrittenHandler(factory)), "expected one of [");
    }

    private static final class Answer implements InvocationHandler, Serializable {

        private static final long serialVersionUID = 1L;

        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) {
            return "";
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {ObjectFactory.class, ObjectProvider.class})
    void nothingInBytesIsAProvider(Class<?> type) throws Exception {
        Object proxy = proxy(type, new Answer());
        assertUnreadable(stream(proxy), type.getName() + REASON);
        assertStays(proxy, type.getName() + REASON);
    }

    /** Such a description may stand for the class, as a parameter's type, but the JDK makes no object of it. */
    @Test
    void aMentionedTypeHasNoObjects() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(1);
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeShort(ObjectStreamConstants.STREAM_MAGIC);
            out.writeShort(ObjectStreamConstants.STREAM_VERSION);
            out.writeByte(ObjectStreamConstants.TC_OBJECT);
            out.writeByte(ObjectStreamConstants.TC_CLASSDESC);
            out.writeUTF(ObjectFactory.class.getName());
            out.writeLong(0);
            out.writeByte(ObjectStreamConstants.SC_SERIALIZABLE);
            out.writeShort(0);
            out.writeByte(ObjectStreamConstants.TC_ENDBLOCKDATA);
            out.writeByte(ObjectStreamConstants.TC_NULL);
        }
        assertUnreadable(bytes.toByteArray(), "class invalid for deserialization");
    }

    /** An application's class, which an attacker can name. */
    private static final class OtherFactory extends StaticListableBeanFactory implements Serializable {

        private static final long serialVersionUID = 1L;
    }

    @Test
    void noBeanFactoryButTheApplicationsIsRead() throws Exception {
        SimpleBeanTargetSource source = new SimpleBeanTargetSource();
        source.setTargetBeanName("greeting");
        source.setBeanFactory(FACTORY);
        assertEquals("hello", ((SimpleBeanTargetSource) passed(source)).getTarget());
        source.setBeanFactory(new OtherFactory());
        String reason = OtherFactory.class.getName() + " is a org.springframework.beans.factory.BeanFactory, which";
        assertUnreadable(stream(source), reason);
        assertStays(source, reason);
    }

    private static final class Advisor extends AbstractBeanFactoryPointcutAdvisor {

        private static final long serialVersionUID = 1L;

        @Override
        public Pointcut getPointcut() {
            return Pointcut.TRUE;
        }
    }

    @Test
    void anAdvisorComesBackIfItNamesItsAdvice() throws Exception {
        Advisor advisor = new Advisor();
        advisor.setBeanFactory(FACTORY);
        advisor.setAdvice(new org.aopalliance.aop.Advice() {});
        assertStays(advisor, "without the name of a bean");
        advisor.setAdviceBeanName("greeting");
        assertEquals("greeting", ((Advisor) passed(advisor)).getAdviceBeanName());
    }
}
