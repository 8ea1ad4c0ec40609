package io.understudy.cluster;

import io.understudy.config.ConfigException;
import io.understudy.config.UnderstudyConfig;
import java.net.BindException;

/** Why a node could not connect, said to whoever configured it. */
final class ConnectFailure {

    private ConnectFailure() {}

    static RuntimeException of(UnderstudyConfig config, Exception cause) {
        for (Throwable at = cause; at != null; at = at.getCause()) {
            if (at instanceof BindException) {
                return new ConfigException("node '" + config.nodeName() + "' can't listen on "
                        + config.bindAddress().getHostAddress() + ":" + config.bindPort() + " (" + at.getMessage()
                        + "): choose another 'bindPort', or a 'bindAddress' of this machine");
            }
        }
        return new IllegalStateException(
                "node '" + config.nodeName() + "' could not join cluster '" + config.clusterName() + "': " + cause,
                cause);
    }
}
