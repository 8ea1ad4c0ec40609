package io.understudy.sims;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("rules")
class SettingsTest {

    @Test
    void defaultsAreAThousandSessionsAndOneKillOfACoherentClusterOfItsOwn() {
        Settings settings = Settings.from(new Properties());
        assertEquals(1_000, settings.sessions());
        assertEquals(1, settings.kills());
        assertTrue(settings.coherent());
        assertFalse(settings.runsAlready());
    }

    @ParameterizedTest
    @CsvSource({
        "sessions, 0, a whole number from 1 to 100000",
        "sessions, many, a whole number from 1 to 100000",
        "rate, '', a whole number from 1 to 100000",
        "coherence, coherant, 'one of coherent, incoherent'",
        "transport, sctp, 'one of tcp, udp'",
        "door, 127.0.0.1:8080, http://<host>:<port>",
        "door, http://127.0.0.1:8080/shop, http://<host>:<port>"
    })
    void aMalformedValueIsNamedWithWhatIsValid(String name, String value, String rule) {
        String message = assertThrows(IllegalArgumentException.class, () -> Settings.from(with(name, value)))
                .getMessage();
        assertTrue(message.contains("'" + name + "'"), message);
        assertTrue(message.contains("'" + value + "'"), message);
        assertTrue(message.contains(rule), message);
    }

    @Test
    void anUnknownSettingIsAnErrorThatNamesTheKnownOnes() {
        String message = assertThrows(IllegalArgumentException.class, () -> Settings.from(with("sesions", "1")))
                .getMessage();
        assertTrue(message.contains("'sesions'"), message);
        assertTrue(message.contains("sessions"), message);
        assertThrows(IllegalArgumentException.class, () -> Settings.property("sesions=1"));
        assertThrows(IllegalArgumentException.class, () -> Settings.property("sessions"));
    }

    @Test
    void whatOneProcessIsToldTheNextOneReadsBack() {
        Settings told = Settings.from(with("rate", "40")).at(new DemoProcess.Ready(URI.create("http://h:1"), "abc"));
        Properties properties = new Properties();
        for (String option : told.toOptions()) {
            String[] parts = option.substring("-D".length()).split("=", 2);
            properties.setProperty(parts[0], parts[1]);
        }
        assertEquals(told, Settings.from(properties));
    }

    private static Properties with(String name, String value) {
        Properties properties = new Properties();
        properties.putAll(Map.of("sim." + name, value, "user.dir", "not looked at"));
        return properties;
    }
}
