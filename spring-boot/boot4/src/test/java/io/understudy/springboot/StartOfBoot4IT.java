package io.understudy.springboot;

import io.understudy.springboot.BootNode.Container;

final class StartOfBoot4IT extends StartContract {

    StartOfBoot4IT() {
        super(Container.JETTY);
    }
}
