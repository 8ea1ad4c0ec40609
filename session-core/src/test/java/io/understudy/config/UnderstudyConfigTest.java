package io.understudy.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.UnderstudyConfig.HostPort;
import io.understudy.config.session.Acks;
import io.understudy.config.session.Coherence;
import io.understudy.config.session.EndEvents;
import io.understudy.config.session.LockConfig;
import io.understudy.config.session.OnDegraded;
import io.understudy.config.session.OnLockTimeout;
import io.understudy.config.session.OnNotReplicable;
import io.understudy.config.session.PathPatterns;
import io.understudy.config.session.SessionDoctorMode;
import io.understudy.config.session.Toggle;
import io.understudy.config.session.VersionCookieConfig;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("rules")
class UnderstudyConfigTest {

    @Test
    void warmUpIsADurationOrOff() {
        UnderstudyConfig off = UnderstudyConfig.fromProperties(Map.of("warmUp", "OFF"));
        assertEquals(Duration.ZERO, off.warmUp());
        assertEquals(Duration.ZERO, off.with(Map.of("acks", "one")).warmUp());
        assertEquals(
                Duration.ofMillis(100),
                UnderstudyConfig.fromProperties(Map.of("warmUp", "100ms")).warmUp());
        assertEquals(
                "setting 'warmUp' must be at least 100ms, was '0s'; the nearest valid value is '100ms'",
                assertThrows(ConfigException.class, () -> UnderstudyConfig.fromProperties(Map.of("warmUp", "0s")))
                        .getMessage());
    }

    @Test
    void defaultsAreSafeAndCoherent() {
        UnderstudyConfig config = UnderstudyConfig.defaults();
        assertEquals("understudy", config.clusterName());
        assertTrue(config.nodeName().endsWith("-" + ProcessHandle.current().pid()), config.nodeName());
        assertEquals(Transport.AUTO, config.transport());
        assertTrue(config.bindAddress().isLoopbackAddress());
        assertEquals(7800, config.bindPort());
        assertEquals(List.of(), config.hosts());
        assertEquals("239.255.78.0", config.multicastAddress().getHostAddress());
        assertEquals(7820, config.multicastPort());
        assertEquals(Security.LOOPBACK, config.security());
        assertEquals(Coherence.COHERENT, config.coherence());
        assertEquals(Duration.ofSeconds(7), config.ackTimeout());
        assertEquals(OnDegraded.PROCEED, config.onDegraded());
        assertEquals(
                new ApplicationConfig(
                        Coherence.COHERENT,
                        Acks.ALL,
                        PathPatterns.NONE,
                        PathPatterns.NONE,
                        Duration.ofSeconds(7),
                        OnDegraded.PROCEED,
                        "",
                        "",
                        AttributeClasses.ANY,
                        new LockConfig(
                                Toggle.OFF, PathPatterns.parse("/*"), Duration.ofSeconds(10), OnLockTimeout.REFUSE),
                        new VersionCookieConfig("", "", Duration.ofMillis(500)),
                        OnNotReplicable.WARN,
                        EndEvents.ONCE,
                        SessionDoctorMode.OFF),
                config.application());
        assertEquals(Duration.ZERO, config.startAloneAfter());
        assertEquals(Duration.ofSeconds(3), config.warmUp());
        assertEquals(Duration.ofSeconds(1), config.touchInterval());
        assertEquals(1 << 20, config.maxAttributeBytes());
        assertEquals(100, config.maxWaitingRequests());
        assertEquals(new RehearsalConfig(0.5), config.rehearsal());
        assertEquals(-1, config.healthPort());
    }

    @Test
    void everySettingIsRead() {
        UnderstudyConfig config = UnderstudyConfig.fromProperties(Map.ofEntries(
                Map.entry("clusterName", " shop "),
                Map.entry("nodeName", "n1"),
                Map.entry("transport", "UDP"),
                Map.entry("bindAddress", "192.0.2.1"),
                Map.entry("bindPort", "1"),
                Map.entry("hosts", "a:7800, 192.0.2.2:7801 ,"),
                Map.entry("multicastAddress", "224.1.2.3"),
                Map.entry("multicastPort", "9999"),
                Map.entry("security", "none"),
                Map.entry("coherence", "incoherent"),
                Map.entry("ackTimeout", "2m"),
                Map.entry("onDegraded", "refuse"),
                Map.entry("acks", "Majority"),
                Map.entry("coherentPaths", "/checkout/*, /pay"),
                Map.entry("incoherentPaths", "*.png"),
                Map.entry("degradedHeader", " X-Degraded "),
                Map.entry("attributeFilter", "com.acme.**;!com.acme.old.*"),
                Map.entry("attributeClasses", "Enforce  /etc/shop classes.txt"),
                Map.entry("sessionLock", "on"),
                Map.entry("lockPaths", "/pay, /stock/*"),
                Map.entry("lockTimeout", "2500ms"),
                Map.entry("onLockTimeout", "proceed"),
                Map.entry("versionCookie", "UNDERSTUDY"),
                Map.entry("versionCookieSecret", "sixteen letters!"),
                Map.entry("versionCookieWait", "50ms"),
                Map.entry("onNotReplicable", "fail"),
                Map.entry("endEvents", "everywhere"),
                Map.entry("sessionDoctor", "log"),
                Map.entry("startAlone", "wait 1500ms"),
                Map.entry("touchInterval", "PT0.5S"),
                Map.entry("maxAttributeBytes", "1024"),
                Map.entry("maxWaitingRequests", "7"),
                Map.entry("takeOverRehearsal", "2.25 %"),
                Map.entry("healthPort", "0")));
        assertEquals("shop", config.clusterName());
        assertEquals("n1", config.nodeName());
        assertEquals(Transport.UDP, config.transport());
        assertEquals("192.0.2.1", config.bindAddress().getHostAddress());
        assertEquals(1, config.bindPort());
        assertEquals(List.of(new HostPort("a", 7800), new HostPort("192.0.2.2", 7801)), config.hosts());
        assertEquals("224.1.2.3", config.multicastAddress().getHostAddress());
        assertEquals(9999, config.multicastPort());
        assertEquals(Security.NONE, config.security());
        assertEquals(Coherence.INCOHERENT, config.coherence());
        assertEquals(Duration.ofMinutes(2), config.ackTimeout());
        assertEquals(OnDegraded.REFUSE, config.onDegraded());
        assertEquals(
                new ApplicationConfig(
                        Coherence.INCOHERENT,
                        Acks.MAJORITY,
                        PathPatterns.parse("/checkout/*,/pay"),
                        PathPatterns.parse("*.png"),
                        Duration.ofMinutes(2),
                        OnDegraded.REFUSE,
                        "X-Degraded",
                        "com.acme.**;!com.acme.old.*",
                        new AttributeClasses(AttributeClasses.Mode.ENFORCE, "/etc/shop classes.txt"),
                        new LockConfig(
                                Toggle.ON,
                                PathPatterns.parse("/pay,/stock/*"),
                                Duration.ofMillis(2500),
                                OnLockTimeout.PROCEED),
                        new VersionCookieConfig("UNDERSTUDY", "sixteen letters!", Duration.ofMillis(50)),
                        OnNotReplicable.FAIL,
                        EndEvents.EVERYWHERE,
                        SessionDoctorMode.LOG),
                config.application());
        assertEquals(Duration.ofMillis(1500), config.startAloneAfter());
        assertEquals(Duration.ofMillis(500), config.touchInterval());
        assertEquals(1024, config.maxAttributeBytes());
        assertEquals(7, config.maxWaitingRequests());
        assertEquals(new RehearsalConfig(2.25), config.rehearsal());
        assertEquals(0, config.healthPort());
    }

    @ParameterizedTest
    @EnumSource(Setting.class)
    void everySettingIsDescribedFoundByNameAndHasAValidDefault(Setting setting) {
        assertFalse(setting.description().isBlank());
        assertTrue(setting.description().endsWith("."), setting.description());
        assertEquals(setting, Setting.named(setting.key()));
        assertEquals(
                UnderstudyConfig.defaults(),
                UnderstudyConfig.builder().set(setting, setting.defaultValue()).build());
    }

    @ParameterizedTest
    @CsvSource({"clustername, clusterName", "bindport, bindPort", "ackTimout, ackTimeout", "host, hosts"})
    void anUnknownSettingNamesTheNearest(String typed, String meant) {
        ConfigException refused =
                assertThrows(ConfigException.class, () -> UnderstudyConfig.fromProperties(Map.of(typed, "x")));
        assertEquals("unknown setting '" + typed + "'; did you mean '" + meant + "'?", refused.getMessage());
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "transport, tpc, tcp",
                "coherence, coherrent, coherent",
                "onDegraded, 503, refuse",
                "onNotReplicable, failing, fail",
                "endEvents, all, once",
                "security, loopbak, loopback",
                "bindPort, x, 7800",
                "bindPort, -1, 1",
                "bindPort, 65530, 65525",
                "multicastPort, 0, 1",
                "multicastPort, 70000, 65534",
                "multicastAddress, 10.0.0.1, 239.255.78.0",
                "multicastAddress, ff15::78:0, 239.255.78.0",
                "hosts, nodeb, nodeb:7800",
                "hosts, a:99999, a:7800",
                "hosts, a:0, a:7800",
                "ackTimeout, 7 seconds, 7s",
                "ackTimeout, 0s, 1ms",
                "ackTimeout, -PT1S, 1ms",
                "touchInterval, 1ms, 10ms",
                "startAlone, never, serve",
                "startAlone, wait10s, wait 10s",
                "maxAttributeBytes, 10, 1024",
                "maxSessionBytes, 10, 1024",
                "maxMemory, much, 40%",
                "maxMemory, 200%, 40%",
                "maxMemory, 12, 40%",
                "maxAttributeBytes, 1GB, 1048576",
                "maxAttributeBytes, 2000000, 1048576",
                "maxWaitingRequests, 0, 1",
                "takeOverRehearsal, on, 0.5%",
                "takeOverRehearsal, 0%, 0.5%",
                "takeOverRehearsal, 100.5%, 0.5%",
                "healthPort, -2, -1",
                "acks, al, all",
                "coherentPaths, checkout/*, /path/*",
                "incoherentPaths, \"/a, *\", /path/*",
                "degradedHeader, X Degraded, Understudy-Degraded",
                "attributeFilter, .*, com.acme.**",
                "attributeFilter, com.acme.**;maxdepth=5, com.acme.**",
                "attributeClasses, loder, loader",
                "attributeClasses, learn, learn attribute-classes.txt",
                "attributeClasses, enforce, learn attribute-classes.txt",
                "attributeClasses, loader classes.txt, learn classes.txt",
                "attributeClasses, enforced my classes.txt, enforce my classes.txt",
                "attributeClasses, learn a\u0000b, learn attribute-classes.txt",
                "clusterName, \" \", understudy",
                "dnsName, shop:7800, shop",
                "dnsName, dns://10.0.0.1:53, 10.0.0.1",
                "dnsName, \"a.b,c.d\", a.b",
                "discoveryDirectory, a\u0000b, /mnt/shared/understudy",
                "jgroupsStack, a\u0000b, /etc/understudy/stack.xml",
            })
    void aMalformedValueIsNamedWithItsSettingAndTheNearestValidOne(String setting, String value, String valid) {
        UnderstudyConfig.Builder builder = UnderstudyConfig.builder().set(setting, value);
        String message = assertThrows(ConfigException.class, builder::build).getMessage();
        assertTrue(message.startsWith("setting '" + setting + "' must "), message);
        assertTrue(message.contains(", was '" + value.trim() + "'; "), message);
        assertTrue(message.endsWith("the nearest valid value is '" + valid + "'"), message);
        UnderstudyConfig.builder().set(setting, valid).build(); // The way out that the message shows is one.
    }

    @Test
    void settingsThatAreNotGivenAreTheOthers() {
        Map<String, String> node = Map.ofEntries(
                Map.entry("clusterName", "shop"),
                Map.entry("nodeName", "n1"),
                Map.entry("transport", "tcp"),
                Map.entry("bindAddress", "192.0.2.1"),
                Map.entry("bindPort", "7801"),
                Map.entry("hosts", "a:7800,b:7800"),
                Map.entry("multicastAddress", "224.1.2.3"),
                Map.entry("multicastPort", "9999"),
                Map.entry("security", "secret"),
                Map.entry("secret", "sixteen letters!"),
                Map.entry("formerSecret", "sixteen letters?"),
                Map.entry("dnsName", "shop"),
                Map.entry("discoveryDirectory", "/mnt/shop"),
                Map.entry("discoveryDatabase", "jdbc:db:shop"),
                Map.entry("discoveryDatabaseUser", "me"),
                Map.entry("discoveryDatabasePassword", "mine"),
                Map.entry("startAlone", "wait 1500ms"),
                Map.entry("touchInterval", "2s"),
                Map.entry("reconcileInterval", "30s"),
                Map.entry("tombstoneHorizon", "2h"),
                Map.entry("retainUndeployed", "1m"),
                Map.entry("keepSessions", "on"),
                Map.entry("keepDirectory", "/var/lib/understudy"),
                Map.entry("maxAttributeBytes", "2048"),
                Map.entry("maxSessionBytes", "4096"),
                Map.entry("emptySessions", "local"),
                Map.entry("maxMemory", "20%"),
                Map.entry("spillDirectory", "/var/tmp/understudy"),
                Map.entry("maxWaitingRequests", "7"),
                Map.entry("takeOverRehearsal", "off"),
                Map.entry("healthPort", "0"));
        UnderstudyConfig config = UnderstudyConfig.fromProperties(node);
        assertEquals(config, config.with(Map.of("clusterName", "shop")));
        assertEquals(config, UnderstudyConfig.defaults().with(node));
        assertEquals(
                node.size(), config.differences(UnderstudyConfig.defaults()).size(), "all of them");
        assertEquals(
                List.of("bindPort = '7801', got '7802'", "hosts = 'a:7800,b:7800', got ''"),
                config.differences(config.with(Map.of("bindPort", "7802", "hosts", "", "coherence", "incoherent"))));
        assertThrows(ConfigException.class, () -> config.with(Map.of("bindPrt", "7801")));
        assertEquals(
                List.of("discoveryDatabasePassword = another value (not shown)", "secret = another value (not shown)"),
                config.differences(
                        config.with(Map.of("secret", "other sixteen letters", "discoveryDatabasePassword", "yours"))));
        UnderstudyConfig own = UnderstudyConfig.fromProperties(Map.of("jgroupsStack", "stack.xml"));
        assertEquals(own, own.with(Map.of("clusterName", "understudy")));
        assertEquals(
                List.of("jgroupsStack = 'stack.xml', got ''", "startAlone = 'wait 10000ms', got 'serve'"),
                own.differences(
                        UnderstudyConfig.builder().nodeName(own.nodeName()).build()));
    }

    @Test
    void theBuildersMethodsAreTheSettings() {
        UnderstudyConfig config = UnderstudyConfig.builder()
                .clusterName("c")
                .nodeName("n")
                .transport(Transport.UDP)
                .bind("127.0.0.1", 7900)
                .hosts("a:1", "b:2")
                .coherence(Coherence.INCOHERENT)
                .ackTimeout(Duration.ofSeconds(3))
                .build();
        assertEquals(
                UnderstudyConfig.fromProperties(Map.of(
                        "clusterName", "c",
                        "nodeName", "n",
                        "transport", "udp",
                        "bindAddress", "127.0.0.1",
                        "bindPort", "7900",
                        "hosts", "a:1,b:2",
                        "coherence", "incoherent",
                        "ackTimeout", "3s")),
                config);
    }
}
