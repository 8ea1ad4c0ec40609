package io.understudy.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LoopbackClusterTest {

    /** Clusters start at the same time: the port of a node that is not there yet is free for everybody. */
    @Test
    void noPortIsGivenTwice() {
        Set<Integer> ports = new HashSet<>();
        IntStream.range(0, 500)
                .parallel()
                .mapToObj(i -> LoopbackCluster.freePorts(1))
                .toList()
                .forEach(ports::addAll);
        assertEquals(500, ports.size());
    }
}
