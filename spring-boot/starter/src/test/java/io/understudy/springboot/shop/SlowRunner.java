package io.understudy.springboot.shop;

import io.understudy.Understudy;
import io.understudy.testkit.Await;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.stereotype.Component;

/** Takes until the node has all sessions and only the application is missing, which is ready when its runners are done. */
@Component
@ConditionalOnProperty("shop.slow-runner")
final class SlowRunner implements ApplicationRunner {

    private final Understudy node;

    SlowRunner(Understudy node) {
        this.node = node;
    }

    @Override
    public void run(ApplicationArguments arguments) {
        Await.until(
                Await.LIMIT,
                node::readiness,
                () -> node.readiness().reason().endsWith("its server or application does not accept requests"));
    }
}
