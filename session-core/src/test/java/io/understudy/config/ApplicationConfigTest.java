package io.understudy.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.session.Coherence;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Settings that each application of a node may have its own of. */
@Tag("rules")
class ApplicationConfigTest {

    @Test
    void aVersionCookieNeedsASecretWhichIsNotShown() {
        Map<String, String> settings = Map.of("versionCookie", "UNDERSTUDY", "versionCookieSecret", "too short");
        ConfigException e = assertThrows(ConfigException.class, () -> UnderstudyConfig.fromProperties(settings));
        assertEquals(
                "setting 'versionCookieSecret' must have at least 16 characters, and be the same on all nodes, as "
                        + "'versionCookie' is set; it has 9. For example the output of: openssl rand -hex 32",
                e.getMessage());
        UnderstudyConfig config = UnderstudyConfig.fromProperties(
                Map.of("versionCookie", "UNDERSTUDY", "versionCookieSecret", "not to be shown to anybody"));
        assertFalse(config.toString().contains("not to be shown"), config::toString);
        assertTrue(config.application()
                .with("coherence", "incoherent")
                .versionCookie()
                .on());
    }

    @Test
    void theSecretOfTheVersionCookieMayBeInAFile() {
        Map<String, String> settings =
                Map.of("versionCookie", "UNDERSTUDY", "versionCookieSecret", "file:/nowhere/understudy/secret");
        ConfigException e = assertThrows(ConfigException.class, () -> UnderstudyConfig.fromProperties(settings));
        assertTrue(e.getMessage().contains("'versionCookieSecret' names the file '/nowhere/understudy/secret'"));
    }

    @Test
    void applicationsOfOneNodeMayDifferInWhatIsTheirs() {
        UnderstudyConfig shop = UnderstudyConfig.builder().nodeName("n").build();
        UnderstudyConfig bulk = UnderstudyConfig.fromProperties(
                Map.of("nodeName", "n", "coherence", "incoherent", "acks", "one", "ackTimeout", "1s"));
        assertTrue(shop.sameNode(bulk));
        assertEquals(bulk, shop.with(bulk.application()));
        assertFalse(shop.sameNode(UnderstudyConfig.fromProperties(Map.of("nodeName", "n", "bindPort", "7801"))));
    }

    @Test
    void settingsOfAnApplicationCanBeChangedAloneOrTogether() {
        ApplicationConfig shop = UnderstudyConfig.defaults().application();
        ConfigException refused = assertThrows(ConfigException.class, () -> shop.with("healthPort", "1"));
        assertTrue(refused.getMessage().startsWith("setting 'healthPort' belongs to the node"), refused.getMessage());
        Map<String, String> others = Map.ofEntries(
                Map.entry("coherence", "incoherent"),
                Map.entry("acks", "one"),
                Map.entry("coherentPaths", "/a,/b/*"),
                Map.entry("incoherentPaths", "/c"),
                Map.entry("ackTimeout", "3s"),
                Map.entry("onDegraded", "refuse"),
                Map.entry("degradedHeader", "X"),
                Map.entry("attributeFilter", "com.acme.*"),
                Map.entry("attributeClasses", "learn classes.txt"),
                Map.entry("sessionLock", "on"),
                Map.entry("lockPaths", "/d"),
                Map.entry("lockTimeout", "20s"),
                Map.entry("onLockTimeout", "proceed"),
                Map.entry("versionCookie", "V"),
                Map.entry("versionCookieSecret", "0123456789abcdef"),
                Map.entry("versionCookieWait", "1s"),
                Map.entry("onNotReplicable", "fail"),
                Map.entry("endEvents", "everywhere"),
                Map.entry("sessionDoctor", "log"));
        ApplicationConfig all = UnderstudyConfig.fromProperties(others).application();
        assertEquals(all, shop.with(others));
        assertEquals(ApplicationConfig.class.getRecordComponents().length + 5, others.size(), "all of them");
        Map<String, String> defaults = new HashMap<>();
        others.keySet().forEach(key -> defaults.put(key, Setting.named(key).defaultValue()));
        ApplicationConfig one = all;
        for (Map.Entry<String, String> each : new TreeMap<>(defaults).entrySet()) {
            one = one.with(each.getKey(), each.getValue());
        }
        assertEquals(shop, one);
        assertThrows(ConfigException.class, () -> shop.with("ackTimeout", "soon"));
    }

    @Test
    void aPathOfBothKindsIsCoherent() {
        ApplicationConfig config = UnderstudyConfig.fromProperties(
                        Map.of("coherentPaths", "/a/*", "incoherentPaths", "*.png,/b"))
                .application();
        assertEquals(Coherence.COHERENT, config.coherenceOf("/a/x"));
        assertEquals(Coherence.COHERENT, config.coherenceOf("/a/x.png"));
        assertEquals(Coherence.INCOHERENT, config.coherenceOf("/b"));
        assertNull(config.coherenceOf("/c"));
    }
}
