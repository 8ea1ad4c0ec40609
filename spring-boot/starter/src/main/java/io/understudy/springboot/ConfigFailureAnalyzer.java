package io.understudy.springboot;

import io.understudy.config.ConfigException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** What is printed in place of a stack trace when a setting is wrong. */
final class ConfigFailureAnalyzer extends AbstractFailureAnalyzer<ConfigException> {

    ConfigFailureAnalyzer() {}

    @Override
    protected FailureAnalysis analyze(Throwable failure, ConfigException cause) {
        return new FailureAnalysis(
                "Understudy can't start: " + cause.getMessage(),
                "Correct the property; the setting 'bindPort', for example, is understudy.bind-port.",
                cause);
    }
}
