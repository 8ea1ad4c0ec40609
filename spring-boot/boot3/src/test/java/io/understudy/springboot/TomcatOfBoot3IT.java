package io.understudy.springboot;

import io.understudy.springboot.BootNode.Container;
import org.junit.jupiter.api.Tag;

@Tag("process")
final class TomcatOfBoot3IT extends FailOverContract {

    TomcatOfBoot3IT() {
        super(Container.TOMCAT, "Apache Tomcat/10.1");
    }
}
