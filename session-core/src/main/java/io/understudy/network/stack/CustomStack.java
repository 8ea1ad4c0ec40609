package io.understudy.network.stack;

import io.understudy.config.ConfigException;
import io.understudy.config.UnderstudyConfig;
import io.understudy.network.detection.ASYNC_FD_SOCK2;
import io.understudy.network.detection.FAST_MERGE3;
import io.understudy.network.detection.FailureLog;
import io.understudy.network.detection.SIDE_GMS;
import io.understudy.network.seal.SealFilters;
import io.understudy.network.transport.GAPSKIP_NAKACK4;
import io.understudy.network.transport.QUEUED_TCP;
import io.understudy.network.transport.SEALED_MPING;
import io.understudy.network.transport.SEALED_UDP;
import io.understudy.ordering.SCOPE;
import io.understudy.ordering.SCOPE_FC;
import io.understudy.ordering.ScopedDirect;
import io.understudy.threads.Failures;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.net.Inet6Address;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jgroups.JChannel;
import org.jgroups.conf.ProtocolConfiguration;
import org.jgroups.conf.XmlConfigurator;
import org.jgroups.protocols.TP;
import org.jgroups.stack.Configurator;
import org.jgroups.stack.Protocol;
import org.jgroups.stack.ProtocolHook;
import org.jgroups.stack.ProtocolStack;
import org.jgroups.util.StackType;
import org.jgroups.util.Util;

/**
 * The channel of {@code jgroupsStack}: a file with JGroups' XML, in which Understudy's protocols have their short names. Its sockets are bound to {@code
 * bindAddress}, by which {@code security} is decided; all else is as the file says.
 */
final class CustomStack extends JChannel {

    private static final String BIND_ADDRESS = "bind_addr";

    /** @throws ConfigException if the file can't be read, or lacks what is needed (see {@link StackCheck}) */
    CustomStack(UnderstudyConfig config, SealFilters seals, FailureLog detections, Failures failures) throws Exception {
        super(false);
        String file = config.discovery().jgroupsStack();
        List<ProtocolConfiguration> described = read(file);
        List<Protocol> protocols = new ArrayList<>();
        Map<String, Supplier<Protocol>> ours = ours(config, seals, detections, failures);
        for (ProtocolConfiguration each : described) {
            protocols.add(protocol(file, each, ours, config));
        }
        StackCheck.check(file, protocols, config.secrets().given());
        prot_stack = new Described(described).setChannel(this);
        for (Protocol protocol : protocols) {
            prot_stack.addProtocol(protocol);
            protocol.setProtocolStack(prot_stack);
        }
        if (protocols.get(0) instanceof TP first) { // JGroups names the transport once it is initialised.
            ChannelThreadFactory.use(first, failures);
            LastingTimer.use(first, failures);
        }
        try {
            prot_stack.init();
        } catch (Exception e) {
            throw refused(file, "JGroups reports: " + e.getMessage());
        }
        TP transport = prot_stack.getTransport();
        LastingTimer.finish(transport);
        transport.setMessageProcessingPolicy(ScopedDirect.class.getName());
        transport.getDiagnosticsHandler().setEnabled(false);
    }

    /** What the file says of parts of protocols, such as {@code thread_pool.max_threads}, is heeded when they are initialised. */
    private static final class Described extends ProtocolStack {

        private final List<ProtocolConfiguration> described;

        Described(List<ProtocolConfiguration> described) {
            this.described = described;
        }

        @Override
        public void initProtocolStack(List<ProtocolConfiguration> none, ProtocolHook hook) throws Exception {
            super.initProtocolStack(described, hook);
        }
    }

    private static Map<String, Supplier<Protocol>> ours(
            UnderstudyConfig config, SealFilters seals, FailureLog detections, Failures failures) {
        return Map.of(
                "QUEUED_TCP",
                () -> new QUEUED_TCP(seals.transport(), failures),
                "SEALED_UDP",
                () -> new SEALED_UDP(config.nodeName(), seals.transport()),
                "SEALED_MPING",
                () -> new SEALED_MPING(seals, failures),
                "FAST_MERGE3",
                FAST_MERGE3::new,
                "SIDE_GMS",
                SIDE_GMS::new,
                "ASYNC_FD_SOCK2",
                () -> new ASYNC_FD_SOCK2(seals.failureDetection(), detections),
                "GAPSKIP_NAKACK4",
                GAPSKIP_NAKACK4::new,
                "SCOPE",
                SCOPE::new,
                "SCOPE_FC",
                SCOPE_FC::new);
    }

    private static ConfigException refused(String file, String why) {
        return new ConfigException("setting 'jgroupsStack' is '" + file + "': " + why);
    }

    private static List<ProtocolConfiguration> read(String file) {
        try (InputStream in = Files.newInputStream(Path.of(file))) {
            List<ProtocolConfiguration> described =
                    XmlConfigurator.getInstance(in).getProtocolStack();
            described.forEach(ProtocolConfiguration::substituteVariables);
            return described;
        } catch (IOException | RuntimeException e) {
            throw refused(
                    file,
                    "the file can't be read (" + e + "); expected the XML of JGroups: <config> with an element for "
                            + "each protocol, from the transport up");
        }
    }

    private static Protocol protocol(
            String file,
            ProtocolConfiguration described,
            Map<String, Supplier<Protocol>> ours,
            UnderstudyConfig config) {
        String name = described.getProtocolName();
        if (described.getProperties().containsKey(BIND_ADDRESS)) {
            throw refused(
                    file, name + " has 'bind_addr': remove it, and set 'bindAddress', which 'security' depends on");
        }
        try {
            Supplier<Protocol> known = ours.get(name);
            Protocol protocol = known == null
                    ? described
                            .loadProtocolClass(CustomStack.class)
                            .getDeclaredConstructor()
                            .newInstance()
                    : known.get();
            if (protocol instanceof TP transport) {
                transport.useVirtualThreads(false); // As ours, unless the file asks for them.
            }
            Configurator.initializeAttrs(
                    protocol,
                    described,
                    config.bindAddress() instanceof Inet6Address ? StackType.IPv6 : StackType.IPv4);
            Field bindAddress = Util.getField(protocol.getClass(), BIND_ADDRESS);
            if (bindAddress != null) {
                Util.setField(bindAddress, protocol, config.bindAddress()); // Whatever JGroups' system properties say.
            }
            return protocol;
        } catch (Exception e) {
            throw refused(
                    file,
                    name + " can't be created (" + e.getMessage() + "): expected a protocol of JGroups or one of "
                            + ours.keySet().stream().sorted().toList() + ", with attributes that it has");
        }
    }
}
