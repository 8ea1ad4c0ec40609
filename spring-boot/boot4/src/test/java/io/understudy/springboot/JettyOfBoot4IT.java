package io.understudy.springboot;

import io.understudy.springboot.BootNode.Container;
import org.junit.jupiter.api.Tag;

@Tag("process")
final class JettyOfBoot4IT extends FailOverContract {

    JettyOfBoot4IT() {
        super(Container.JETTY, "jetty/12.1");
    }
}
