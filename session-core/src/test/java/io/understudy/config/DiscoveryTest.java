package io.understudy.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where a node looks for other members, and for how long. */
@Tag("rules")
class DiscoveryTest {

    @ParameterizedTest
    @CsvSource({
        "shop.default.svc.cluster.local, '', shop.default.svc.cluster.local, false",
        "_understudy._tcp.shop, '', _understudy._tcp.shop, true",
        "dns://10.0.0.1/shop.test., 10.0.0.1, shop.test., false",
        "dns://[fd00::1]:8600/_shop._tcp.service.consul, [fd00::1]:8600, _shop._tcp.service.consul, true",
    })
    void aNameInDnsMayHaveItsServer(String text, String server, String query, boolean services) {
        Discovery discovery =
                UnderstudyConfig.fromProperties(Map.of("dnsName", text)).discovery();
        assertEquals(server, discovery.dnsServer());
        assertEquals(query, discovery.dnsQuery());
        assertEquals(services, discovery.dnsServices());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "dnsName = shop, transport = udp | setting 'transport' is 'udp', which finds members by multicast only, but "
                        + "'dnsName' is set: remove that setting, or set 'transport' to 'auto' or 'tcp'",
                "discoveryDatabaseUser = me | setting 'discoveryDatabaseUser' belongs to 'discoveryDatabase', which is not set: "
                        + "set both or none",
                "discoveryDatabase = postgresql://me:mine@db/shop | setting 'discoveryDatabase' must be a JDBC URL, such as "
                        + "'jdbc:postgresql://db:5432/shop', was 'postgresql://db/shop'",
                "jgroupsStack = a.xml, hosts = b:7800, transport = auto, bindPort = 7801 | setting 'jgroupsStack' is 'a.xml', "
                        + "which configures transport and discovery completely, so 'bindPort', 'hosts' would have no effect: "
                        + "remove one or the other",
            })
    void whatDoesNotGoTogetherIsRefusedByName(String settings, String expected) {
        UnderstudyConfig.Builder builder = UnderstudyConfig.builder();
        for (String setting : settings.split(", ", -1)) {
            builder.set(setting.split(" = ", -1)[0], setting.split(" = ", -1)[1]);
        }
        assertEquals(
                expected, assertThrows(ConfigException.class, builder::build).getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"dnsName", "discoveryDirectory", "jgroupsStack"})
    void whoSaysWhereOthersAreNamedWaitsForThem(String setting) {
        assertEquals(
                Duration.ofSeconds(10),
                UnderstudyConfig.fromProperties(Map.of(setting, "a")).startAloneAfter());
    }

    @ParameterizedTest
    @CsvSource({
        "auto,          '',             0",
        "auto,          'a:1',          10000",
        "auto,          '127.0.0.1:7800', 0",
        "auto,          'a:1,b:1',      10000",
        "AUTO,          'a:1,b:1',      10000",
        "serve,         'a:1,b:1',      0",
        "wait 250ms,    '',             250",
        "'wait   3 s',  'a:1,b:1',      3000",
        "wait 0s,       'a:1,b:1',      0",
    })
    void startAloneSaysHowLongOthersAreLookedFor(String startAlone, String hosts, long millis) {
        UnderstudyConfig config = UnderstudyConfig.builder()
                .set(Setting.START_ALONE, startAlone)
                .set(Setting.HOSTS, hosts)
                .build();
        assertEquals(Duration.ofMillis(millis), config.startAloneAfter());
    }
}
