package io.understudy.demo.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.ConfigException;
import io.understudy.config.Setting;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("cluster")
final class DemoOptionsTest {

    @Test
    void optionsAndSettingsOfUnderstudyAreReadWithAndWithoutDashes() {
        DemoOptions options = DemoOptions.parse("--port=9090", "transport=udp", "--ackTimeout=2s");

        assertEquals(9090, options.port(Option.PORT));
        assertEquals(8081, options.port(Option.NODE_PORT));
        assertEquals("udp", options.setting(Setting.TRANSPORT));
        assertEquals("coherent", options.setting(Setting.COHERENCE));
        assertEquals(Map.of("transport", "udp", "ackTimeout", "2s"), options.settings());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--prot=1          | unknown option 'prot'; did you mean 'port'?",
                "--nodeport=1      | unknown option 'nodeport'; did you mean 'nodePort'?",
                "--tranport=udp    | unknown option 'tranport'; did you mean 'transport'?",
                "--bindAddress=::1 | unknown option 'bindAddress'",
                "--port            | option 'port' needs a value",
                "--port=-1         | option 'port' must be a port from 1 to 65535, or 0 for any, was '-1'",
                "--nodePort=65534  | option 'nodePort' must be a port from 1 to 65533, or 0 for any, was '65534'",
                "--port=http       | was 'http'; the default is 8080",
                "--transport=upd   | the nearest valid value is 'udp'",
                "--ackTimeout=soon | setting 'ackTimeout' must be a duration",
            })
    void aWrongOptionIsNamedWithAValidOne(String argument, String message) {
        ConfigException e = assertThrows(ConfigException.class, () -> DemoOptions.parse(argument));
        assertTrue(e.getMessage().contains(message), e.getMessage());
    }

    @Test
    void aTakenPortIsNamedWithItsOption() throws Exception {
        // Not a port that the system chose: the two below it may be other tests' by now.
        int first = Ports.claim(allPortsAnyBut("port=0")).get(Option.NODE_PORT);
        int third = first + 2;
        try (ServerSocket taken = new ServerSocket(third, 1, InetAddress.getLoopbackAddress())) {
            DemoOptions options = allPortsAnyBut("nodePort=" + first);

            ConfigException e = assertThrows(ConfigException.class, () -> Ports.claim(options));

            assertEquals(
                    "port " + taken.getLocalPort() + " is taken by another process: end that, or choose another port "
                            + "with --nodePort=<port> (0 is any)",
                    e.getMessage());
        }
    }

    @Test
    void onePortForTwoPurposesIsRefused() {
        int port = Ports.claim(allPortsAnyBut("port=0")).get(Option.NODE_PORT);

        ConfigException e = assertThrows(
                ConfigException.class,
                () -> Ports.claim(
                        DemoOptions.parse("port=" + (port + 1), "nodePort=" + port, "healthPort=0", "clusterPort=0")));

        assertEquals(
                "port " + (port + 1) + " is wanted by option 'nodePort' and by option 'port': give one of them another",
                e.getMessage());
    }

    private static DemoOptions allPortsAnyBut(String other) {
        return DemoOptions.parse("port=0", "nodePort=0", "healthPort=0", "clusterPort=0", other);
    }
}
