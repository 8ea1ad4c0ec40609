package io.understudy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.ConfigException;
import io.understudy.config.Setting;
import io.understudy.config.UnderstudyConfig;
import io.understudy.testkit.LoopbackCluster;
import io.understudy.testkit.StartedNodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes with a JGroups stack of their own: the one that the documentation has to begin with, and what is missing in others. */
@Tag("cluster")
@Timeout(300)
class CustomStackTest {

    private static final Path DOCUMENTED = Path.of("../docs/design/stack.xml");
    private static final String SECRET = "a secret of the tests";

    @TempDir
    private Path directory;

    private final List<Integer> ports = LoopbackCluster.freePorts(4);

    /** The documented one, with ports that are free. */
    private String stack(int port) throws IOException {
        return Files.readString(DOCUMENTED)
                .replace("bind_port=\"7800\"", "bind_port=\"" + port + "\"")
                .replace("127.0.0.1[7800]", "127.0.0.1[" + ports.get(0) + "],127.0.0.1[" + ports.get(1) + "]");
    }

    private String file(String name, String xml) throws IOException {
        return Files.writeString(directory.resolve(name), xml).toString();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", SECRET})
    void theDocumentedStackReplicatesWithItselfAndWithTransportTcp(String secret) throws IOException {
        try (StartedNodes nodes = new StartedNodes(Map.of(Setting.SECRET, secret))) {
            for (int i = 0; i < 2; i++) {
                nodes.start("node" + i, Map.of(Setting.JGROUPS_STACK, file("stack" + i + ".xml", stack(ports.get(i)))));
            }
            nodes.start(
                    "preset",
                    "127.0.0.1",
                    ports.get(2),
                    Map.of(Setting.TRANSPORT, "tcp", Setting.HOSTS, "127.0.0.1:" + ports.get(0)));
            nodes.awaitOne();
            nodes.replicate();
            nodes.stop("node0");
            nodes.awaitOne();
            nodes.replicate();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", SECRET})
    void aStackOnUdpReplicates(String secret) throws IOException {
        String xml = Files.readString(DOCUMENTED)
                .replaceFirst(
                        "(?s)<QUEUED_TCP.*?/>",
                        "<SEALED_UDP mcast_addr=\"239.255.78.9\" mcast_port=\"" + ports.get(3)
                                + "\" ip_ttl=\"0\" bundler.max_size=\"16000\" thread_pool.max_threads=\"50\"/>")
                .replaceFirst("<TCPPING[^>]*>", "<PING num_discovery_runs=\"3\"/>")
                .replace("frag_size=\"60000\"", "frag_size=\"15000\"");
        try (StartedNodes nodes =
                new StartedNodes(Map.of(Setting.SECRET, secret, Setting.JGROUPS_STACK, file("udp.xml", xml)))) {
            nodes.start("first", Map.of());
            nodes.start("second", Map.of());
            nodes.awaitOne();
            nodes.replicate();
        }
    }

    /** Each part of the stack by itself. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "<QUEUED_TCP.*?/> | | the first protocol must be a transport, QUEUED_TCP or SEALED_UDP",
                "<TCPPING.*?/> | | a discovery, such as TCPPING is missing: without it members do not find each other",
                "FAST_MERGE3 | MERGE3 | FAST_MERGE3 is missing: without it separated members do not merge",
                "<FD_ALL3.*?/> | | a failure detection by heartbeats, such as FD_ALL3 is missing: without it coherent responses wait",
                "<VERIFY_SUSPECT2.*?/> | | VERIFY_SUSPECT2 is missing: without it a broken connection alone removes a member",
                "GAPSKIP_NAKACK4 | NAKACK4 | GAPSKIP_NAKACK4 is missing: without it messages to all members get lost",
                "<UNICAST4.*?/> | | UNICAST4 is missing: without it answers of members get lost",
                "<SIDE_GMS.*?/> | | SIDE_GMS, in place of pbcast.GMS, is missing: without it there are no views",
                "<SIDE_GMS | <pbcast.GMS | SIDE_GMS, in place of pbcast.GMS, is missing: without it there are no views",
                "<FRAG4.*?/> | | a fragmentation, such as FRAG4 is missing: without it messages larger than a packet are not sent",
                "<SCOPE g.*?/> | | SCOPE is missing: without it changes of a session arrive out of order",
                "<SCOPE_FC | <MFC | SCOPE_FC, in place of MFC, is missing: without it the memory of a slow member fills",
                "<UFC.*?/> | | UFC is missing: without it the memory of a slow member fills",
                "(<FRAG4.*?/>)\\s*(<SCOPE g.*?/>) | $2$1 | SCOPE must be above FRAG4, but is below it",
                "(<SCOPE g.*?/>)\\s*(<SCOPE_FC.*?/>) | $2$1 | SCOPE_FC must be above SCOPE, but is below it",
                "(<GAPSKIP_NAKACK4.*?/>)(.*?)(<SIDE_GMS.*?/>) | $2$3$1 | SIDE_GMS must be above GAPSKIP_NAKACK4, but is below it",
                "<SCOPE_FC max_credits=.4000000. | <SCOPE_FC max_credits=\"100000\" | SCOPE_FC has max_credits=100000, with "
                        + "which large changes wait for ever: expected 4000000 or more",
                "frag_size=.60000. | frag_size=\"4000\" | frag_size of FRAG4 is 4000: expected 12000 or more",
                "<QUEUED_TCP | <QUEUED_TCP bind_addr=\"127.0.0.1\" | QUEUED_TCP has 'bind_addr': remove it, and set 'bindAddress'",
                "<UFC | <UFC nonsense=\"1\" | UFC can't be created (",
                "<UFC | <NONSENSE | NONSENSE can't be created (",
                "<config | <stack | the file can't be read (",
            })
    void whatIsMissingIsNamed(String pattern, String instead, String expected) throws IOException {
        String whole = stack(ports.get(0));
        String changed = whole.replaceFirst("(?s)" + pattern, instead == null ? "" : instead);
        assertTrue(!changed.equals(whole), "the stack is changed");
        assertRefused(changed.replace("</config>", pattern.equals("<config") ? "</stack>" : "</config>"), "", expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "QUEUED_TCP | TCP | TCP does not seal, but 'secret' is set: use QUEUED_TCP or SEALED_UDP instead",
                "ASYNC_FD_SOCK2 | FD_SOCK2 | FD_SOCK2 has its own sockets, which are not sealed, but 'secret' is set: use "
                        + "ASYNC_FD_SOCK2 instead",
                "<FAST | <MPING/><FAST | MPING has its own sockets, which are not sealed, but 'secret' is set: use "
                        + "SEALED_MPING instead",
            })
    void withASecretNothingIsLeftUnsealed(String part, String instead, String expected) throws IOException {
        assertRefused(stack(ports.get(0)).replace(part, instead), SECRET, expected);
    }

    private void assertRefused(String xml, String secret, String expected) throws IOException {
        String file = file("stack.xml", xml);
        UnderstudyConfig config = UnderstudyConfig.builder()
                .set(Setting.JGROUPS_STACK, file)
                .set(Setting.SECRET, secret)
                .build();
        String message = assertThrows(ConfigException.class, () -> Understudy.start(config))
                .getMessage();
        assertTrue(message.startsWith("setting 'jgroupsStack' is '" + file + "'"), message);
        assertTrue(message.contains(expected), message);
    }

    @Test
    void allThatIsMissingIsNamedAtOnce() throws IOException {
        String file =
                file("tcp.xml", "<config><TCP/><TCPPING/><MERGE3/><pbcast.NAKACK2/><UNICAST3/><pbcast.GMS/></config>");
        UnderstudyConfig config =
                UnderstudyConfig.builder().set(Setting.JGROUPS_STACK, file).build();
        String message = assertThrows(ConfigException.class, () -> Understudy.start(config))
                .getMessage();
        assertEquals(10, message.split(" is missing: without it ", -1).length - 1, message);
        assertTrue(
                message.endsWith("docs/design/stack.xml is a valid stack; the first protocol in a file is the lowest"));
    }
}
