package io.understudy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.understudy.health.HealthRequest;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which requests may drain a node whose address is 10.0.0.7. */
@Tag("rules")
class DrainProofTest {

    private static final String BIND_ADDRESS = "10.0.0.7";

    private static String refusal(String from, Map<String, List<String>> headers) throws UnknownHostException {
        HealthRequest request = new HealthRequest("POST", "/drain", null, headers, InetAddress.getByName(from));
        return DrainProof.refusal(request, InetAddress.getByName(BIND_ADDRESS));
    }

    private static Map<String, List<String>> perfect(String host) {
        return Map.of("x-understudy", List.of("drain"), "host", List.of(host));
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1", BIND_ADDRESS})
    void itMayComeFromTheNodesOwnMachine(String from) throws Exception {
        assertNull(refusal(from, perfect("localhost:8091")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"203.0.113.7", "10.0.0.8", "2001:db8::1", "::ffff:10.0.0.8", "0.0.0.0"})
    void itIsRefusedFromAnotherMachine(String from) throws Exception {
        assertEquals(
                "a drain request must come from the node's own machine: expected a loopback address or 10.0.0.7, found "
                        + InetAddress.getByName(from).getHostAddress(),
                refusal(from, perfect("localhost")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"localhost", "LOCALHOST:1", "127.0.0.1:8091", "[::1]:8091", "[::1]", BIND_ADDRESS + ":8091"})
    void itMayNameThisMachine(String host) throws Exception {
        assertNull(refusal("127.0.0.1", perfect(host)));
    }

    /** A page of another site whose name has this machine's address, or one that sends what no browser does. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "drain.example.org",
                "localhost.example.org",
                "127.0.0.1.example.org",
                "localhost@example.org",
                "10.0.0.8",
                "127.0.0.256",
                "2130706433",
                "[::2]",
                "[::1].example.org",
                ""
            })
    void itIsRefusedWithTheNameOfAnother(String host) throws Exception {
        assertEquals(
                "expected the header Host with localhost, a loopback address or 10.0.0.7, found [" + host + "]",
                refusal("127.0.0.1", perfect(host)));
    }

    @Test
    void itIsRefusedWithoutItsHeaderOrWithTwoHosts() throws Exception {
        assertEquals(
                "expected the header 'X-Understudy: drain'",
                refusal("127.0.0.1", Map.of("host", List.of("localhost"))));
        assertEquals(
                "expected the header Host with localhost, a loopback address or 10.0.0.7, found [localhost, localhost]",
                refusal(
                        "127.0.0.1",
                        Map.of("x-understudy", List.of("drain"), "host", List.of("localhost", "localhost"))));
    }

    @ParameterizedTest
    @CsvSource({
        "forwarded",
        "via",
        "x-forwarded",
        "x-forwarded-for",
        "x-forwarded-host",
        "x-original-forwarded-for",
        "x-real-ip",
        "x-envoy-internal",
        "x-client-ip",
        "x-cluster-client-ip",
        "client-ip",
        "true-client-ip",
        "cf-connecting-ip",
        "fastly-client-ip",
        "x-amzn-trace-id",
        "x-azure-clientip",
        "x-cloud-trace-context",
        "origin",
        "sec-fetch-site"
    })
    void itIsRefusedThroughAProxyOrABrowser(String header) throws Exception {
        assertEquals(
                "a drain request must come from the node's own machine: expected no proxy or browser in between, found "
                        + "the header " + header,
                refusal(
                        "127.0.0.1",
                        Map.of(
                                "x-understudy",
                                List.of("drain"),
                                "host",
                                List.of("localhost"),
                                header,
                                List.of("for=203.0.113.7"))));
    }
}
