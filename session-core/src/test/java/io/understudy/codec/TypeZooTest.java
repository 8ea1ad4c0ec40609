package io.understudy.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.codec.TypeZoo.Animal;
import io.understudy.codec.classes.ClassList;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What JDK serialization restores comes back the same, or is refused by name; never something else. */
@Tag("rules")
class TypeZooTest {

    private final GuardedCodec codec = codec(ClassList.any());

    static Stream<Animal> animals() {
        return Stream.concat(TypeZoo.animals(), LibraryZoo.animals());
    }

    @Test
    void thereAreMany() {
        List<Animal> all = animals().toList();
        Set<String> names = new TreeSet<>();
        all.forEach(animal -> assertTrue(names.add(animal.name()), animal.name() + " is there twice"));
        assertTrue(names.size() >= 180, names.size() + " cases");
    }

    @ParameterizedTest
    @MethodSource("animals")
    void comesBackOrIsRefused(Animal animal) throws Exception {
        Object value = animal.value().call();
        boolean jdkRestores = jdkRestores(animal, value);
        byte[] bytes;
        try {
            bytes = codec.encode(value);
        } catch (NotReplicableException refused) {
            assertTrue(animal.refused() || !jdkRestores, () -> animal + " was refused: " + refused.getMessage());
            assertTrue(
                    refused.getMessage().contains(animal.culprit(value)),
                    () -> animal + " is refused without " + animal.culprit(value) + ": " + refused.getMessage());
            return;
        }
        assertTrue(!animal.refused(), () -> animal + " was to be refused");
        for (int time = 0; time < 2; time++) { // The second time with what the codec learned.
            Object copy = codec.decode(bytes);
            if (!value.getClass().isHidden()) { // A lambda's class is made anew.
                assertSame(value.getClass(), copy.getClass(), animal.name());
            }
            assertEquals(animal.seen(value), animal.seen(copy), animal.name());
            bytes = codec.encode(copy);
        }
    }

    static GuardedCodec codec(ClassList list) {
        return new GuardedCodec(TypeZooTest.class::getClassLoader, Set.of(), "", list);
    }

    static boolean jdkRestores(Animal animal, Object value) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(value);
        } catch (IOException e) {
            return false;
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return animal.seen(value).equals(animal.seen(in.readObject()));
        }
    }
}
