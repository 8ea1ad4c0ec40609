package io.understudy.benchmarks.peers.node;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.apache.catalina.Context;
import org.apache.catalina.ha.ClusterManager;
import org.apache.catalina.ha.session.BackupManager;
import org.apache.catalina.ha.session.DeltaManager;
import org.apache.catalina.ha.tcp.SimpleTcpCluster;
import org.apache.catalina.startup.Tomcat;
import org.apache.catalina.tribes.Channel;
import org.apache.catalina.tribes.group.GroupChannel;
import org.apache.catalina.tribes.group.interceptors.MessageDispatchInterceptor;
import org.apache.catalina.tribes.group.interceptors.TcpFailureDetector;
import org.apache.catalina.tribes.membership.StaticMember;
import org.apache.catalina.tribes.membership.StaticMembershipService;
import org.apache.catalina.tribes.transport.nio.NioReceiver;

/**
 * Tomcat's own replication, as its documentation configures it, but with static members in place of multicast:
 * SimpleTcpCluster with the interceptors and valves that it has by default, ReplicationValve and JvmRouteBinderValve.
 */
final class TribesSessions implements TomcatNode.Sessions {

    /** Deltas leave after the response, by threads of their own: the default of DeltaManager. */
    static final int ASYNC = Channel.SEND_OPTIONS_ASYNCHRONOUS;

    /** The end of a request waits until the other members have applied the delta: the default of BackupManager. */
    static final int SYNC = Channel.SEND_OPTIONS_SYNCHRONIZED_ACK | Channel.SEND_OPTIONS_USE_ACK;

    private static final int ID_BYTES = 16;

    private final String address;
    private final int hosts;
    private final ClusterManager manager;
    private final int sendOptions;

    private TribesSessions(String address, int hosts, ClusterManager manager, int sendOptions) {
        this.address = address;
        this.hosts = hosts;
        this.manager = manager;
        this.sendOptions = sendOptions;
    }

    /** @param sendOptions {@link #ASYNC} or {@link #SYNC} */
    static void delta(int sendOptions, String address, int hosts, Path directory) throws Exception {
        TomcatNode.start(address, directory, new TribesSessions(address, hosts, new DeltaManager(), sendOptions));
    }

    static void backup(String address, int hosts, Path directory) throws Exception {
        TomcatNode.start(address, directory, new TribesSessions(address, hosts, new BackupManager(), ASYNC));
    }

    @Override
    public void install(Tomcat tomcat, Context context) throws IOException {
        NioReceiver receiver = new NioReceiver();
        receiver.setAddress(address);
        receiver.setPort(ProductNode.CLUSTER_PORT);
        receiver.setAutoBind(0);
        StaticMembershipService membership = new StaticMembershipService();
        for (int host = 0; host < hosts; host++) {
            StaticMember member = member(host);
            if (ProductNode.host(address, host).equals(address)) {
                membership.setLocalMember(member);
            } else {
                membership.addStaticMember(member);
            }
        }
        GroupChannel channel = new GroupChannel();
        channel.setChannelReceiver(receiver);
        channel.setMembershipService(membership);
        channel.addInterceptor(new MessageDispatchInterceptor());
        channel.addInterceptor(new TcpFailureDetector());
        SimpleTcpCluster cluster = new SimpleTcpCluster();
        cluster.setChannel(channel);
        cluster.setManagerTemplate(manager);
        cluster.setChannelSendOptions(sendOptions);
        tomcat.getEngine().setCluster(cluster);
        context.setDistributable(true);
    }

    private StaticMember member(int host) throws IOException {
        StaticMember member = new StaticMember(ProductNode.host(address, host), ProductNode.CLUSTER_PORT, 0);
        byte[] id = new byte[ID_BYTES];
        Arrays.fill(id, (byte) (1 + host));
        member.setUniqueId(id);
        return member;
    }
}
