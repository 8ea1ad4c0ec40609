package io.understudy.museum;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What one node keeps for an application, another node of the same application reads as it was, and back. */
@Tag("process")
class LibraryMuseumTest {

    /** Two nodes, with classes of their own. */
    private record Nodes(Node first, Node second) {}

    private static final Map<Layout, Nodes> NODES = new EnumMap<>(Layout.class);
    private static final List<NodeLoader> LOADERS = new ArrayList<>();

    private static Node start(Layout layout) throws ReflectiveOperationException {
        NodeLoader loader = NodeLoader.of(layout);
        LOADERS.add(loader);
        return loader.start();
    }

    @BeforeAll
    static void startNodes() throws Exception {
        for (Layout layout : Layout.values()) {
            NODES.put(layout, new Nodes(start(layout), start(layout)));
        }
    }

    @AfterAll
    static void closeNodes() throws Exception {
        NODES.values().forEach(nodes -> {
            nodes.first().close();
            nodes.second().close();
        });
        for (NodeLoader loader : LOADERS) {
            loader.close();
        }
        NODES.clear();
        LOADERS.clear();
    }

    static Stream<Arguments> samples() {
        return NODES.entrySet().stream()
                .flatMap(entry -> entry.getValue().first().samples().stream()
                        .map(sample -> Arguments.of(entry.getKey(), sample)));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("samples")
    void comesBackOrIsADocumentedException(Layout layout, String sample) throws Exception {
        Nodes nodes = NODES.get(layout);
        String refusal = nodes.first().refusals().get(sample);
        if (refusal != null) {
            Exception refused =
                    assertThrows(Exception.class, () -> nodes.first().encode(sample));
            assertTrue(String.valueOf(refused.getMessage()).contains(refusal), refused::toString);
            assertEquals(nodes.first().exception(sample), nodes.first().restoredByJdk(sample));
            return;
        }
        byte[] there = nodes.first().encode(sample);
        byte[] back = nodes.second().pass(sample, there);
        nodes.first().pass(sample, back);
    }
}
