package io.understudy.museum.library;

import static io.understudy.museum.library.Sample.page;

import java.io.Serializable;
import java.util.Map;
import org.springframework.binding.expression.support.StaticExpression;
import org.springframework.webflow.conversation.impl.SessionBindingConversationManager;
import org.springframework.webflow.core.collection.LocalAttributeMap;
import org.springframework.webflow.definition.registry.FlowDefinitionRegistryImpl;
import org.springframework.webflow.engine.Flow;
import org.springframework.webflow.engine.Transition;
import org.springframework.webflow.engine.ViewState;
import org.springframework.webflow.engine.impl.FlowExecutionImplFactory;
import org.springframework.webflow.engine.support.DefaultTargetStateResolver;
import org.springframework.webflow.engine.support.DefaultTransitionCriteria;
import org.springframework.webflow.execution.Event;
import org.springframework.webflow.execution.RequestContext;
import org.springframework.webflow.execution.View;
import org.springframework.webflow.execution.repository.impl.DefaultFlowExecutionRepository;
import org.springframework.webflow.execution.repository.snapshot.SerializedFlowExecutionSnapshotFactory;
import org.springframework.webflow.executor.FlowExecutionResult;
import org.springframework.webflow.executor.FlowExecutorImpl;
import org.springframework.webflow.test.MockExternalContext;
import org.springframework.webflow.test.MockParameterMap;

/** A flow that one node began and the other goes on with. */
final class SpringWebFlow {

    private SpringWebFlow() {}

    /** A page of which each request is the event {@code next}. */
    private record Page(RequestContext context) implements View {

        @Override
        public void render() {
            context.getFlowScope().put("shown", "cart");
        }

        @Override
        public boolean userEventQueued() {
            return context.getRequestParameters().contains("_eventId");
        }

        @Override
        public void processUserEvent() {}

        @Override
        public Serializable getUserEventState() {
            return "";
        }

        @Override
        public boolean hasFlowEvent() {
            return userEventQueued();
        }

        @Override
        public Event getFlowEvent() {
            return new Event(this, context.getRequestParameters().get("_eventId"));
        }

        @Override
        public void saveState() {}
    }

    private static FlowExecutorImpl executor() {
        Flow flow = new Flow("checkout");
        ViewState cart = new ViewState(flow, "cart", Page::new);
        cart.getTransitionSet()
                .add(new Transition(
                        new DefaultTransitionCriteria(new StaticExpression("next")),
                        new DefaultTargetStateResolver("bought")));
        new ViewState(flow, "bought", Page::new);
        FlowDefinitionRegistryImpl registry = new FlowDefinitionRegistryImpl();
        registry.registerFlowDefinition(flow);
        FlowExecutionImplFactory factory = new FlowExecutionImplFactory();
        DefaultFlowExecutionRepository repository = new DefaultFlowExecutionRepository(
                new SessionBindingConversationManager(), new SerializedFlowExecutionSnapshotFactory(factory, registry));
        factory.setExecutionKeyFactory(repository);
        return new FlowExecutorImpl(registry, factory, repository);
    }

    static Row row() {
        return Row.of(
                "Spring Web Flow",
                "spring-webflow",
                page("conversations with a flow in its second step", SpringWebFlow::launched, SpringWebFlow::resumed));
    }

    private static Object launched() {
        MockExternalContext context = new MockExternalContext();
        executor().launchExecution("checkout", new LocalAttributeMap<>(Map.of("a", 1)), context);
        return context.getSessionMap().asMap().values().iterator().next();
    }

    private static String resumed(Object conversations) {
        MockExternalContext context = new MockExternalContext(new MockParameterMap().put("_eventId", "next"));
        context.getSessionMap().put(new SessionBindingConversationManager().getSessionKey(), conversations);
        FlowExecutionResult result = executor().resumeExecution("e1s1", context);
        return result.getFlowId() + result.isPaused() + result.getPausedKey();
    }
}
