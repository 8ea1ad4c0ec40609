package io.understudy.demo.launcher.dashboard;

import io.understudy.demo.launcher.cluster.ClusterNode;
import io.understudy.demo.launcher.cluster.Refused;
import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What the dashboard can do to a node. */
enum Action {
    KILL {
        @Override
        void on(ClusterNode node) throws Refused, InterruptedException {
            node.kill();
        }
    },
    STOP {
        @Override
        void on(ClusterNode node) throws Refused, InterruptedException {
            node.stop();
        }
    },
    PAUSE {
        @Override
        void on(ClusterNode node) throws Refused {
            node.pause();
        }
    },
    RESUME {
        @Override
        void on(ClusterNode node) throws Refused {
            node.resume();
        }
    },
    START {
        @Override
        void on(ClusterNode node) throws Refused, IOException {
            node.start();
        }
    };

    abstract void on(ClusterNode node) throws Refused, IOException, InterruptedException;

    static @Nullable Action named(String name) {
        return Arrays.stream(values())
                .filter(action -> action.text().equals(name))
                .findAny()
                .orElse(null);
    }

    static String names() {
        return Arrays.stream(values()).map(Action::text).collect(Collectors.joining("|"));
    }

    private String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
