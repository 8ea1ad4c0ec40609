package io.understudy.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.understudy.testkit.faultpoints.FaultPoints;
import io.understudy.testkit.faultpoints.PointedLoader;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a node looks up, and takes away, when it has no memory. */
@Tag("cluster")
class KeysWithoutMemoryTest {

    @ParameterizedTest
    @ValueSource(classes = {SessionKey.class, Stamp.class})
    void comparingAndHashingTakeNone(Class<?> key) throws Exception {
        Class<?> type = new PointedLoader().loadClass(key.getName());
        Object one = make(type, 7L);
        Object equal = make(type, 7L);
        Object other = make(type, 8L);
        List<FaultPoints.Point> places = FaultPoints.passed(() -> {
            assertEquals(one, equal);
            assertEquals(one.hashCode(), equal.hashCode());
            assertNotEquals(one, other);
        });
        assertEquals(
                List.of(),
                places.stream()
                        .filter(point -> point.place().startsWith(key.getSimpleName() + "."))
                        .toList());
    }

    private static Object make(Class<?> type, long number) throws ReflectiveOperationException {
        int parts = type.getRecordComponents().length;
        return type.getConstructors()[0].newInstance(
                Collections.nCopies(parts, number).toArray());
    }
}
