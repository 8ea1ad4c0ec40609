package io.understudy.springboot;

import io.understudy.springboot.BootNode.Container;
import org.junit.jupiter.api.Tag;

@Tag("process")
final class StartOfBoot4IT extends StartContract {

    StartOfBoot4IT() {
        super(Container.JETTY);
    }
}
