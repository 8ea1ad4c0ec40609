package io.understudy.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("process")
class LoopbackClusterTest {

    private static final int PORTS = 100;

    /** Clusters start at the same time: the port of a node that is not there yet is free for everybody. */
    @Test
    void noPortIsGivenTwice() {
        assertEquals(PORTS, ports().size());
    }

    /** Members look for another's failure detection at four ports; at each of them there is to be nobody else. */
    @Test
    void portsOfFailureDetectionAreFarEnoughApart() {
        List<Integer> ports = LoopbackCluster.freePorts(3);
        Set<Integer> taken = new HashSet<>(ports);
        for (int port : ports) {
            for (int i = 0; i < 4; i++) {
                assertTrue(taken.add(port + LoopbackCluster.FAILURE_DETECTION + i), () -> ports.toString());
            }
        }
    }

    /** Tests run in several JVMs at once. */
    @Test
    void noPortIsGivenToTwoJvms() throws Exception {
        Set<Integer> here = ports();
        Process other = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-classpath",
                        System.getProperty("java.class.path"),
                        Other.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        Set<Integer> there = new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .map(Integer::valueOf)
                .collect(Collectors.toCollection(HashSet::new));
        assertEquals(PORTS, there.size());
        there.retainAll(here);
        assertTrue(there.isEmpty(), () -> "given to two JVMs: " + there);
    }

    static final class Other {

        private Other() {}

        public static void main(String[] args) {
            ports().forEach(System.out::println);
        }
    }

    private static Set<Integer> ports() {
        return IntStream.range(0, PORTS)
                .parallel()
                .mapToObj(i -> LoopbackCluster.freePorts(1).get(0))
                .collect(Collectors.toSet());
    }
}
