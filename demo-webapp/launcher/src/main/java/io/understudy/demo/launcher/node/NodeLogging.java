package io.understudy.demo.launcher.node;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.logging.LogManager;

/** Named by {@code java.util.logging.config.class}: the log manager makes one to read its configuration. */
public final class NodeLogging {

    public NodeLogging() throws IOException {
        try (InputStream properties =
                Objects.requireNonNull(NodeLogging.class.getResourceAsStream("logging.properties"))) {
            LogManager.getLogManager().readConfiguration(properties);
        }
    }
}
