package io.understudy.junit;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;
import org.junit.platform.commons.support.AnnotationSupport;

/** Makes of each test method with {@link FailoverTest} its runs. Threads: JUnit's. */
final class FailoverExtension implements TestTemplateInvocationContextProvider {

    FailoverExtension() {}

    private record Invocation(FailoverRuns runs, int run) implements TestTemplateInvocationContext {

        @Override
        public String getDisplayName(int invocation) {
            return runs.title(run);
        }

        @Override
        public List<Extension> getAdditionalExtensions() {
            return List.of(new FailoverInvocation(runs, run));
        }
    }

    @Override
    public boolean supportsTestTemplate(ExtensionContext context) {
        return AnnotationSupport.isAnnotated(context.getRequiredTestMethod(), FailoverTest.class);
    }

    @Override
    @SuppressWarnings("deprecation") // JUnit closes an AutoCloseable since 5.13 only.
    public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(ExtensionContext context) {
        FailoverTest test = AnnotationSupport.findAnnotation(context.getRequiredTestMethod(), FailoverTest.class)
                .orElseThrow();
        FailoverRuns runs = FailoverRuns.of(test);
        // JUnit may run only some: the nodes are free for other tests when this one is over.
        context.getStore(Namespace.create(FailoverExtension.class))
                .put(context.getUniqueId(), (ExtensionContext.Store.CloseableResource) runs::closeCluster);
        // JUnit takes the next one when the one before it is over.
        return IntStream.range(0, runs.count()).filter(runs::necessary).mapToObj(run -> new Invocation(runs, run));
    }
}
