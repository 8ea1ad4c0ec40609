package io.understudy.network.stack;

import io.understudy.config.BindAddress;
import io.understudy.config.ConfigException;
import io.understudy.config.UnderstudyConfig;
import java.net.BindException;

/** Why a node could not connect, in terms of its settings. */
public final class ConnectFailure {

    private ConnectFailure() {}

    public static RuntimeException of(UnderstudyConfig config, Exception cause) {
        if (cause instanceof ConfigException refused) {
            return refused;
        }
        for (Throwable at = cause; at != null; at = at.getCause()) {
            if (at instanceof ConfigException named) {
                return named;
            }
            if (at instanceof BindException) {
                if (!config.discovery().jgroupsStack().isEmpty()) {
                    return new ConfigException("node '" + config.nodeName() + "' can't listen on the ports in "
                            + config.discovery().jgroupsStack() + " (" + at.getMessage()
                            + "): choose other ports in that file, or a 'bindAddress' of this machine");
                }
                return new ConfigException("node '" + config.nodeName() + "' can't listen on "
                        + new UnderstudyConfig.HostPort(BindAddress.text(config.bindAddress()), config.bindPort())
                        + " (" + at.getMessage()
                        + "): choose another 'bindPort', or a 'bindAddress' of this machine");
            }
        }
        return new IllegalStateException(
                "node '" + config.nodeName() + "' could not join cluster '" + config.clusterName() + "': " + cause,
                cause);
    }
}
