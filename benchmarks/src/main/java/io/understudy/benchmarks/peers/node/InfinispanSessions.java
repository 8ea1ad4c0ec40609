package io.understudy.benchmarks.peers.node;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.session.DefaultSessionCacheFactory;
import org.eclipse.jetty.session.SessionCache;
import org.eclipse.jetty.session.SessionDataStore;
import org.eclipse.jetty.session.SessionManager;
import org.eclipse.jetty.session.infinispan.InfinispanSerializationContextInitializer;
import org.eclipse.jetty.session.infinispan.InfinispanSessionData;
import org.eclipse.jetty.session.infinispan.InfinispanSessionDataStore;
import org.eclipse.jetty.session.infinispan.InfinispanSessionDataStoreFactory;
import org.infinispan.commons.api.BasicCache;
import org.infinispan.commons.dataconversion.MediaType;
import org.infinispan.configuration.parsing.ConfigurationBuilderHolder;
import org.infinispan.configuration.parsing.ParserRegistry;
import org.infinispan.manager.DefaultCacheManager;

/**
 * Jetty's session store with Infinispan in the same JVM: a synchronously replicated cache over Infinispan's own TCP
 * stack, with static members in place of multicast. The cache keeps bytes: of an object that it keeps, requests would
 * change what the cache is about to send.
 */
final class InfinispanSessions implements JettyNode.Sessions {

    private static final String CACHE = "sessions";

    /**
     * Makes stores that serialize attributes, which a cache on several nodes needs. The setting for it, {@code
     * setSerialization}, has an effect only where the client of an Infinispan server is on the class path, too.
     */
    private static final class StoreFactory extends InfinispanSessionDataStoreFactory {

        StoreFactory(BasicCache<String, InfinispanSessionData> cache) {
            setCache(cache);
        }

        @Override
        public SessionDataStore getSessionDataStore(SessionManager manager) {
            InfinispanSessionDataStore store = new InfinispanSessionDataStore() {
                @Override
                public boolean isPassivating() {
                    return true;
                }
            };
            store.setGracePeriodSec(getGracePeriodSec());
            store.setSavePeriodSec(getSavePeriodSec());
            store.setCache(getCache());
            return store;
        }
    }

    private final String address;
    private final int hosts;
    private final boolean evicting;

    private InfinispanSessions(String address, int hosts, boolean evicting) {
        this.address = address;
        this.hosts = hosts;
        this.evicting = evicting;
    }

    /**
     * @param evicting whether a node keeps a session only while requests use it; by default it keeps it, and does not
     * see what others write
     */
    static void start(String address, int hosts, boolean evicting) throws Exception {
        JettyNode.start(address, new InfinispanSessions(address, hosts, evicting));
    }

    @Override
    public void install(Server server) {
        ConfigurationBuilderHolder configuration =
                new ParserRegistry().parse(configuration(), MediaType.APPLICATION_XML);
        DefaultCacheManager caches = new DefaultCacheManager(configuration, true);
        server.addBean(new StoreFactory(caches.<String, InfinispanSessionData>getCache(CACHE)));
        if (evicting) {
            DefaultSessionCacheFactory cache = new DefaultSessionCacheFactory();
            cache.setEvictionPolicy(SessionCache.EVICT_ON_SESSION_EXIT);
            server.addBean(cache);
        }
    }

    private String configuration() {
        String members = IntStream.range(0, hosts)
                .mapToObj(host -> ProductNode.host(address, host) + "[" + ProductNode.CLUSTER_PORT + "]")
                .collect(Collectors.joining(","));
        return """
                <infinispan>
                  <jgroups>
                    <stack name="peers" extends="tcp">
                      <TCP bind_addr="%s" bind_port="%d" port_range="0"/>
                      <TCPPING initial_hosts="%s" port_range="0" stack.combine="REPLACE" stack.position="MPING"/>
                    </stack>
                  </jgroups>
                  <cache-container statistics="false">
                    <transport stack="peers" cluster="peers" node-name="%s"/>
                    <serialization><context-initializer class="%s"/></serialization>
                    <replicated-cache name="%s" mode="SYNC"><encoding media-type="application/x-protostream"/></replicated-cache>
                  </cache-container>
                </infinispan>
                """.formatted(
                        address,
                        ProductNode.CLUSTER_PORT,
                        members,
                        address,
                        InfinispanSerializationContextInitializer.class.getName(),
                        CACHE);
    }
}
