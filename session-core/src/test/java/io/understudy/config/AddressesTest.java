package io.understudy.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.UnderstudyConfig.HostPort;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which addresses settings may name, and how they are written. What other machines have is in NetworksTest. */
@Tag("rules")
class AddressesTest {

    private static String refused(Map<String, String> settings) {
        return assertThrows(ConfigException.class, () -> UnderstudyConfig.fromProperties(settings))
                .getMessage();
    }

    @ParameterizedTest
    @ValueSource(strings = {"lo", "127.0.0.1", "127.0.0.0/8", "localhost", "127.0.0.1/32"})
    void theAddressIsChosenByItselfANameAnInterfaceOrANetwork(String text) throws Exception {
        InetAddress chosen =
                UnderstudyConfig.fromProperties(Map.of("bindAddress", text)).bindAddress();
        assertEquals("127.0.0.1", chosen.getHostAddress());
    }

    @ParameterizedTest
    @CsvSource({
        "0.0.0.0,             must be a single address",
        "::,                  must be a single address",
        "127.0.0.1/33,        must be a network such as 10.1.0.0/16 or fd00:1::/64",
        "localhost/8,         must be a network such as 10.1.0.0/16 or fd00:1::/64",
        "198.51.100.0/24,     must be a network in which this machine has an address",
        "2001:db8::/32,       must be a network in which this machine has an address",
        "no.such.host.invalid, 'must be an address, an interface, a network or a host name of this machine'"
    })
    void whatChoosesNoAddressIsRefusedWithThoseThatAreThere(String text, String rule) {
        String message = refused(Map.of("bindAddress", text));
        assertTrue(message.startsWith("setting 'bindAddress' " + rule), message);
        assertTrue(message.contains("127.0.0.1 (lo)"), message);
        assertTrue(message.contains(", was '" + text + "'; the nearest valid value is '"), message);
    }

    @Test
    void anAddressOfAnotherMachineIsRefusedWhenTheNodeIsStarted() throws Exception {
        ConfigException e =
                assertThrows(ConfigException.class, () -> BindAddress.at(InetAddress.getByName("192.0.2.1")));
        assertTrue(
                e.getMessage()
                        .startsWith(
                                "setting 'bindAddress' is '192.0.2.1', which is not an address of this machine: choose one of "),
                e.getMessage());
        assertTrue(e.getMessage().contains("127.0.0.1 (lo)"), e.getMessage());
        assertEquals("lo", BindAddress.at(InetAddress.getByName("127.0.0.2")).getName());
    }

    /** The tests' JVM has no IPv6. */
    @Test
    void aJvmWithoutIpv6SaysHowItGetsIt() throws Exception {
        assertTrue(Boolean.getBoolean("java.net.preferIPv4Stack"));
        ConfigException e =
                assertThrows(ConfigException.class, () -> BindAddress.at(InetAddress.getByName("2001:db8::1")));
        assertTrue(e.getMessage().contains("'2001:db8::1', which is not an address"), e.getMessage());
        assertTrue(e.getMessage().contains("-Djava.net.preferIPv4Stack=true"), e.getMessage());
    }

    @Test
    void theGroupIsOfTheKindOfTheAddress() {
        Map<String, String> six = Map.of("bindAddress", "2001:db8::1", "security", "none");
        UnderstudyConfig config = UnderstudyConfig.fromProperties(six);
        assertEquals("ff15::78:0", BindAddress.text(config.multicastAddress()));
        assertEquals(
                "239.255.78.0",
                config.with(Map.of("bindAddress", "192.0.2.1"))
                        .multicastAddress()
                        .getHostAddress());
        assertEquals(
                "ff02::7",
                BindAddress.text(
                        config.with(Map.of("multicastAddress", "ff02::7")).multicastAddress()));
        ConfigException e =
                assertThrows(ConfigException.class, () -> config.with(Map.of("multicastAddress", "239.255.78.0")));
        assertEquals(
                "setting 'multicastAddress' must be an IPv6 multicast address (in ff00::/8), as 'bindAddress' is IPv6, was "
                        + "'239.255.78.0'; the nearest valid value is 'ff15::78:0'",
                e.getMessage());
    }

    @Test
    void hostsAreNamesOrAddressesOfTheKindOfTheBindAddress() {
        UnderstudyConfig config = UnderstudyConfig.fromProperties(Map.of(
                "bindAddress", "2001:db8:0::1",
                "security", "none",
                "hosts", "nodeb:7800, [2001:DB8:0:0::1]:7801,[2001:db8::2%eth0]:65535"));
        assertEquals(
                List.of(
                        new HostPort("nodeb", 7800),
                        new HostPort("2001:db8::1", 7801),
                        new HostPort("2001:db8::2", 65_535)),
                config.hosts());
        assertEquals(config, config.with(Map.of("clusterName", "understudy")));
        assertEquals("[2001:db8::1]:7801", config.hosts().get(1).toString());
        assertEquals(
                "setting 'hosts' names '10.0.0.1:7800', but 'bindAddress' is 2001:db8::1, which is IPv6: name the host by its "
                        + "IPv6 address, or by a host name that has one",
                assertThrows(ConfigException.class, () -> config.with(Map.of("hosts", "10.0.0.1:7800")))
                        .getMessage());
        assertTrue(refused(Map.of("hosts", "[::1]:7800")).contains("which is IPv4"));
    }

    @ParameterizedTest
    @CsvSource({
        "::1,            [::1]:7800",
        "::1:7800,       [::1]:7800",
        "fd00::1:1,      [fd00::1:1]:7800",
        "[::1],          [::1]:7800",
        "[::1]7800,      [::1]:7800",
        "[::1]:0,        [::1]:7800",
        "[::1:7801,      [::1]:7801",
        "[fd00::1%eth0], [fd00::1]:7800",
        "[fd00::x]:7800, [::1]:7800",
        ":7800,          [::1]:7800",
    })
    void anIpv6AddressHasBracketsBeforeItsPort(String text, String valid) {
        Map<String, String> settings = Map.of("bindAddress", "::1", "hosts", text);
        assertEquals(
                "setting 'hosts' must be host:port, host:port, with an IPv6 address in brackets, was '" + text
                        + "'; the nearest valid value is '" + valid + "'",
                refused(settings));
        UnderstudyConfig.fromProperties(Map.of("bindAddress", "::1", "hosts", valid));
    }

    @Test
    void aNodeThatNamesItselfAloneWaitsForNobody() {
        assertEquals(
                0,
                UnderstudyConfig.fromProperties(Map.of("bindAddress", "::1", "hosts", "[0:0:0:0:0:0:0:1]:7800"))
                        .startAloneAfter()
                        .toMillis());
    }

    @ParameterizedTest
    @CsvSource({
        "10.1.0.5, 10.1.0.5",
        "0:0:0:0:0:0:0:1, ::1",
        "fd00:0:0:1:0:0:0:2, fd00::1:0:0:0:2",
        "fe80:0:0:0:1:2:3:4, fe80::1:2:3:4",
        "1:0:3:4:5:6:7:8, 1:0:3:4:5:6:7:8",
        "ff15:0:0:0:0:0:78:0, ff15::78:0"
    })
    void addressesAreWrittenShort(String address, String text) throws Exception {
        assertEquals(text, BindAddress.text(InetAddress.getByName(address)));
        assertEquals(InetAddress.getByName(address), InetAddress.getByName(text));
    }
}
