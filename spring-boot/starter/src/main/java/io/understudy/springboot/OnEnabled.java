package io.understudy.springboot;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Whether {@code understudy.enabled} is true, in any form that Spring Boot reads as that, or not given. Spring Boot's own
 * condition takes all texts but {@code true} for false.
 */
final class OnEnabled extends SpringBootCondition {

    private static final Logger LOG = System.getLogger(OnEnabled.class.getName());
    private static final String PROPERTY = PropertySettings.PREFIX + ".enabled";

    OnEnabled() {}

    /** @throws BindException if the value is no truth value: the application does not start */
    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        boolean enabled = Binder.get(context.getEnvironment())
                .bind(PROPERTY, Boolean.class)
                .orElse(true);
        if (!enabled) {
            LOG.log(Level.INFO, "sessions are not replicated: {0} is false", PROPERTY);
        }
        return new ConditionOutcome(enabled, PROPERTY + (enabled ? " is not false" : " is false"));
    }
}
