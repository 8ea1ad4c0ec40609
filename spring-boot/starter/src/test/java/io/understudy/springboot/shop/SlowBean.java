package io.understudy.springboot.shop;

import io.understudy.Understudy;
import io.understudy.testkit.Await;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.stereotype.Component;

/** Takes until the node has all sessions and only the server is missing, which listens when all beans are there. */
@Component
@ConditionalOnProperty("shop.slow")
final class SlowBean implements SmartInitializingSingleton {

    private final Understudy node;

    SlowBean(Understudy node) {
        this.node = node;
    }

    @Override
    public void afterSingletonsInstantiated() {
        Await.until(
                Await.LIMIT,
                node::readiness,
                () -> node.readiness().reason().endsWith("its server or application does not accept requests"));
    }
}
