package io.understudy.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("rules")
class SerialDispatcherTest {

    private final List<Integer> handled = new ArrayList<>();
    private final List<Throwable> failed = new ArrayList<>();

    private SerialDispatcher<Integer> failing(int times) {
        return new SerialDispatcher<>(
                output -> {
                    handled.add(output);
                    if (output == 2 && failed.size() < times) {
                        throw new NoClassDefFoundError("a test's");
                    }
                },
                failed::add);
    }

    @Test
    void anOutputThatFailsKeepsItsPlace() {
        SerialDispatcher<Integer> outputs = failing(1);
        outputs.add(List.of(1, 2, 3));
        outputs.handOut();
        outputs.add(List.of(4, 5));
        outputs.handOut();
        assertEquals(List.of(1, 2, 2, 3, 4, 5), handled);
        assertEquals(1, failed.size());
    }

    @Test
    void anOutputThatAlwaysFailsIsGivenUp() {
        SerialDispatcher<Integer> outputs = failing(Integer.MAX_VALUE);
        outputs.add(List.of(2, 3));
        for (int i = 0; i < SerialDispatcher.TRIES; i++) {
            outputs.handOut();
        }
        outputs.add(List.of(4));
        outputs.handOut();
        assertEquals(List.of(3, 4), handled.subList(SerialDispatcher.TRIES, handled.size()));
        assertEquals(SerialDispatcher.TRIES, failed.size());
    }
}
