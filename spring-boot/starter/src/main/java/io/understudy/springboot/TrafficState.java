package io.understudy.springboot;

import io.understudy.Understudy;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.availability.ApplicationAvailability;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.context.ApplicationContext;

/**
 * Keeps the node from being ready for load balancers while Spring Boot's readiness state refuses traffic: until the
 * application's runners are done, and whenever the application says so by an {@code AvailabilityChangeEvent}.
 */
final class TrafficState implements DisposableBean {

    /** Registered by {@code SpringApplication} only; without it nobody says when the application is ready. */
    private static final String RUN_BY_SPRING_BOOT = "springApplicationArguments";

    private final ApplicationContext application;
    private @Nullable Runnable release;

    TrafficState(ApplicationContext application) {
        this.application = application;
    }

    /** The application's server is about to be made. */
    void govern(Understudy node) {
        ApplicationAvailability availability =
                application.getBeanProvider(ApplicationAvailability.class).getIfAvailable();
        if (release == null && availability != null && application.containsLocalBean(RUN_BY_SPRING_BOOT)) {
            release = node.readyWhile(() -> availability.getReadinessState() == ReadinessState.ACCEPTING_TRAFFIC);
        }
    }

    /** The node may go on with other applications of this JVM. */
    @Override
    public void destroy() {
        if (release != null) {
            release.run();
        }
    }
}
