package io.understudy.junit;

import java.lang.reflect.Method;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/**
 * One run of a test method. The servers start before the test's own {@code @BeforeEach} methods, and stop after its
 * {@code @AfterEach} methods. The comparison is part of the test method.
 */
final class FailoverInvocation
        implements BeforeEachCallback, AfterEachCallback, ParameterResolver, InvocationInterceptor {

    private final FailoverRuns runs;
    private final int number;

    /** While its servers run. */
    private @Nullable FailoverRun run;

    FailoverInvocation(FailoverRuns runs, int number) {
        this.runs = runs;
        this.number = number;
    }

    @Override
    public void beforeEach(ExtensionContext context) throws InterruptedException {
        run = runs.begin(number);
    }

    private FailoverRun begun() {
        return Objects.requireNonNull(run, "a FailoverServer is for methods, as it starts with the test");
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == FailoverServer.class
                && parameter.getDeclaringExecutable() instanceof Method;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return begun().server();
    }

    @Override
    public void interceptTestTemplateMethod(
            Invocation<@Nullable Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        Throwable failed = null;
        try {
            Void unused = invocation.proceed();
        } catch (Throwable e) {
            failed = e;
        }
        begun().end(failed);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        FailoverRun ending = run;
        run = null;
        if (ending != null) {
            ending.close();
        }
    }
}
