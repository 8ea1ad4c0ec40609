package io.understudy.benchmarks.peers.node;

import io.understudy.config.UnderstudyConfig;
import io.understudy.config.session.Coherence;
import io.understudy.jetty.UnderstudySessionFactory;

/** Jetty with Understudy. Apart from {@link UnderstudyOnTomcat}, whose classes are not there. */
final class UnderstudyOnJetty {

    private UnderstudyOnJetty() {}

    static void start(Coherence coherence, String address, int hosts) throws Exception {
        UnderstudyConfig config = ProductNode.understudy(coherence, address, hosts);
        JettyNode.start(address, server -> server.addBean(new UnderstudySessionFactory(config)));
        ReadyNode.await(config);
    }
}
