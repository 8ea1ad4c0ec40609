package io.understudy.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What says how the traffic between members is protected. */
@Tag("cluster")
class SecuritySettingsTest {

    private static final Map<String, String> TLS = Map.of(
            "tlsKeyStore", "key.p12",
            "tlsKeyStorePassword", "not to be shown to anybody",
            "tlsTrustStore", "trust.p12",
            "tlsTrustStorePassword", "not to be shown to others");

    @Test
    void unprotectedTrafficStaysOnLoopbackUnlessItIsSpelledOut() {
        UnderstudyConfig.Builder open = UnderstudyConfig.builder().bind("192.0.2.1", 7800);
        String message = assertThrows(ConfigException.class, open::build).getMessage();
        for (String part : List.of("'bindAddress'", "'192.0.2.1'", "'secret'", "'security'", "'none'", "'127.0.0.1'")) {
            assertTrue(message.contains(part), message);
        }
        assertEquals(Security.NONE, open.set("security", "none").build().security());
        assertTrue(UnderstudyConfig.builder()
                .bind("127.0.0.2", 1)
                .build()
                .bindAddress()
                .isLoopbackAddress());
    }

    @Test
    void withASecretTheTrafficIsSealedOnAnyInterface() {
        UnderstudyConfig.Builder sealed =
                UnderstudyConfig.builder().bind("192.0.2.1", 7800).secret(" sixteen letters! ");
        assertEquals(Security.SECRET, sealed.build().security());
        assertEquals(new Secrets("sixteen letters!", ""), sealed.build().secrets());
        assertEquals(Security.SECRET, sealed.set("security", "secret").build().security());
        assertThrows(ConfigException.class, () -> sealed.set("security", "none").build());
        assertThrows(
                ConfigException.class, () -> sealed.set("security", "loopback").build());
        assertThrows(
                ConfigException.class,
                () -> UnderstudyConfig.fromProperties(Map.of("security", "secret", "bindAddress", "192.0.2.1")));
    }

    @Test
    void secretsAreLongEnoughAndNotShown() {
        for (String setting : List.of("secret", "formerSecret")) {
            ConfigException e = assertThrows(
                    ConfigException.class,
                    () -> UnderstudyConfig.builder()
                            .secret("sixteen letters!")
                            .set(setting, "fifteen letters")
                            .build());
            assertEquals(
                    "setting '" + setting
                            + "' must have at least 16 characters, and be the same on all nodes; it has 15. "
                            + "For example the output of: openssl rand -hex 32",
                    e.getMessage());
        }
        assertThrows(
                ConfigException.class,
                () -> UnderstudyConfig.fromProperties(Map.of("formerSecret", "not to be shown to anybody")));
        UnderstudyConfig config = UnderstudyConfig.fromProperties(
                Map.of("secret", "not to be shown to anybody", "formerSecret", "not to be shown to others"));
        assertFalse(config.toString().contains("not to be shown"), config::toString);
    }

    @Test
    void aSecretMayBeInAFile(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("secret"), "not to be shown to anybody\n");
        assertEquals(
                "not to be shown to anybody",
                UnderstudyConfig.fromProperties(Map.of("secret", "file:" + file))
                        .secrets()
                        .secret());
        Files.writeString(file, "shown?");
        String tooShort = assertThrows(
                        ConfigException.class, () -> UnderstudyConfig.fromProperties(Map.of("secret", "file:" + file)))
                .getMessage();
        assertFalse(tooShort.contains("shown?"), tooShort);
        String missing = assertThrows(
                        ConfigException.class,
                        () -> UnderstudyConfig.fromProperties(Map.of("secret", "file:" + file + ".not")))
                .getMessage();
        assertTrue(missing.contains(file + ".not") && missing.contains("can't be read"), missing);
    }

    private static Map<String, String> tls(String... more) {
        Map<String, String> all = new HashMap<>(TLS);
        for (int i = 0; i < more.length; i += 2) {
            all.put(more[i], more[i + 1]);
        }
        return all;
    }

    @Test
    void withCertificatesTheTrafficGoesOverTlsOnAnyInterface() {
        UnderstudyConfig config =
                UnderstudyConfig.fromProperties(tls("bindAddress", "192.0.2.1", "hosts", "192.0.2.2:7800"));
        assertEquals(Security.TLS, config.security());
        assertTrue(config.tls().given());
        assertEquals(
                Security.TLS,
                UnderstudyConfig.fromProperties(tls("security", "tls")).security());
        assertFalse(config.toString().contains("not to be shown"), config::toString);
        assertEquals(config, config.with(Map.of("clusterName", "understudy")));
        assertEquals(
                List.of(
                        "tlsKeyStore = 'key.p12', got 'other.p12'",
                        "tlsKeyStorePassword = another value (not shown)",
                        "tlsTrustStorePassword = another value (not shown)"),
                config.differences(config.with(
                        Map.of("tlsKeyStore", "other.p12", "tlsKeyStorePassword", "x", "tlsTrustStorePassword", ""))));
        for (String others : List.of("dnsName", "discoveryDirectory", "discoveryDatabase")) {
            String value = others.equals("discoveryDatabase") ? "jdbc:db:shop" : "shop";
            assertEquals(
                    Security.TLS,
                    UnderstudyConfig.fromProperties(tls("bindAddress", "192.0.2.1", others, value))
                            .security());
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "tlsTrustStore = | setting 'tlsKeyStore' is set, but 'tlsTrustStore' is not: set it to the file with the "
                        + "certificates whose holders are let in, or remove both",
                "tlsKeyStore = | setting 'tlsTrustStore' is set, but 'tlsKeyStore' is not: set it to the file with this node's "
                        + "key and certificate, or remove both",
                "tlsKeyStore =, tlsTrustStore = | setting 'tlsKeyStorePassword' is set, but 'tlsKeyStore' is not: set it to the "
                        + "file that it opens, or remove both",
                "tlsKeyStore =, tlsTrustStore =, tlsKeyStorePassword = | setting 'tlsTrustStorePassword' is set, but "
                        + "'tlsTrustStore' is not: set it to the file that it opens, or remove both",
                "tlsKeyStorePassword = | setting 'tlsKeyStore' is set, but 'tlsKeyStorePassword' is not: set it to the password "
                        + "of that file and of the key in it, or remove both",
                "secret = sixteen letters! | setting 'tlsKeyStore' is 'key.p12', but 'secret' is set, too: either TLS or a "
                        + "secret protects the traffic. Remove one of them",
                "jgroupsStack = a.xml | setting 'tlsKeyStore' is 'key.p12', but 'jgroupsStack' is set, too, which configures "
                        + "the transport completely: remove one of them. With your own stack, 'secret' protects the traffic",
                "transport = udp | setting 'tlsKeyStore' is 'key.p12', but 'transport' is 'udp', which does not support TLS: "
                        + "set it to 'tcp', or set 'secret' in place of 'tlsKeyStore' and 'tlsTrustStore'",
                "security = none | setting 'security' is 'none', but 'tlsKeyStore' is set: remove one of them",
                "security = secret | setting 'security' is 'secret', but 'tlsKeyStore' is set, and 'secret' is not: remove "
                        + "'security', or set 'secret' in place of 'tlsKeyStore' and 'tlsTrustStore'",
                "bindAddress = 192.0.2.1 | setting 'tlsKeyStore' is 'key.p12', with which nodes do not find each other by "
                        + "multicast, because multicast is not encrypted: name the other nodes by 'hosts', 'dnsName', "
                        + "'discoveryDirectory' or "
                        + "'discoveryDatabase'",
            })
    void whatDoesNotGoTogetherWithCertificatesIsRefusedByName(String settings, String expected) {
        Map<String, String> all = new HashMap<>(TLS);
        for (String setting : settings.split(", ", -1)) {
            all.put(setting.split(" =", -1)[0], setting.split(" =", -1)[1].trim());
        }
        String message = assertThrows(ConfigException.class, () -> UnderstudyConfig.fromProperties(all))
                .getMessage();
        assertEquals(expected, message);
    }

    @Test
    void tlsNeedsCertificates() {
        String message = assertThrows(
                        ConfigException.class, () -> UnderstudyConfig.fromProperties(Map.of("security", "tls")))
                .getMessage();
        assertTrue(message.contains("'tlsKeyStore'") && message.contains("'tlsTrustStore'"), message);
        assertThrows(
                ConfigException.class,
                () -> UnderstudyConfig.fromProperties(
                        tls("security", "loopback", "bindAddress", "192.0.2.1", "hosts", "192.0.2.2:7800")));
    }

    @Test
    void aPasswordMayBeInAFile(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("password"), "not to be shown\n");
        UnderstudyConfig config = UnderstudyConfig.fromProperties(
                tls("tlsKeyStorePassword", "file:" + file, "tlsTrustStorePassword", "file:" + file));
        assertEquals("not to be shown", config.tls().keyStorePassword());
        assertEquals("not to be shown", config.tls().trustStorePassword());
    }
}
