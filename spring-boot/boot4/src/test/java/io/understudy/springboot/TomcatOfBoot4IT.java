package io.understudy.springboot;

import io.understudy.springboot.BootNode.Container;

final class TomcatOfBoot4IT extends FailOverContract {

    TomcatOfBoot4IT() {
        super(Container.TOMCAT, "Apache Tomcat/11.0");
    }
}
