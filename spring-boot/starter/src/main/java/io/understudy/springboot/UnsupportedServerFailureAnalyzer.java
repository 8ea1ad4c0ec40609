package io.understudy.springboot;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** What is printed in place of a stack trace when the server is none that is known. */
final class UnsupportedServerFailureAnalyzer extends AbstractFailureAnalyzer<UnsupportedServerException> {

    UnsupportedServerFailureAnalyzer() {}

    @Override
    protected FailureAnalysis analyze(Throwable failure, UnsupportedServerException cause) {
        return new FailureAnalysis(
                cause.getMessage(),
                "Upgrade to Spring Boot 4, or use Tomcat: spring-boot-starter-tomcat in place of the other server's "
                        + "starter. "
                        + "understudy.enabled=false starts the application without replicated sessions.",
                cause);
    }
}
