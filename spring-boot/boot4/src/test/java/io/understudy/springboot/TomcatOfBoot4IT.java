package io.understudy.springboot;

import io.understudy.springboot.BootNode.Container;
import org.junit.jupiter.api.Tag;

@Tag("process")
final class TomcatOfBoot4IT extends FailOverContract {

    TomcatOfBoot4IT() {
        super(Container.TOMCAT, "Apache Tomcat/11.0");
    }
}
