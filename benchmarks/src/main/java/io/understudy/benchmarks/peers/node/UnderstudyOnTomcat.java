package io.understudy.benchmarks.peers.node;

import io.understudy.config.UnderstudyConfig;
import io.understudy.config.session.Coherence;
import io.understudy.tomcat.UnderstudyManager;
import java.nio.file.Path;

/** Tomcat with Understudy. Apart from {@link UnderstudyOnJetty}, whose classes are not there. */
final class UnderstudyOnTomcat {

    private UnderstudyOnTomcat() {}

    static void start(Coherence coherence, String address, int hosts, Path directory) throws Exception {
        UnderstudyConfig config = ProductNode.understudy(coherence, address, hosts);
        TomcatNode.start(address, directory, (tomcat, context) -> context.setManager(new UnderstudyManager(config)));
        ReadyNode.await(config);
    }
}
