package io.understudy.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.understudy.codec.TypeZoo.Animal;
import io.understudy.codec.classes.ClassList;
import io.understudy.codec.classes.ClassListFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A list of classes that was learned from a value is enough to write and read it. */
@Tag("cluster")
class LearnedTypesTest {

    @TempDir
    Path dir;

    /** By either format, whichever of the two takes the value another time. */
    @ParameterizedTest
    @MethodSource("io.understudy.codec.TypeZooTest#animals")
    void whatIsLearnedOfOneIsEnoughForIt(Animal animal) throws Exception {
        Object value = animal.value().call();
        Path file = dir.resolve("classes.txt");
        try (GuardedCodec learning = TypeZooTest.codec(ClassList.learn(file, "/zoo@n1"))) {
            learning.encode(value);
        } catch (NotReplicableException e) {
            assertEquals(Set.of(), ClassListFile.read(file), animal.name());
            return;
        }
        try (GuardedCodec enforcing = TypeZooTest.codec(ClassList.enforce(file))) {
            byte[] bytes = enforcing.encode(value);
            assertEquals(animal.seen(value), animal.seen(enforcing.decode(bytes)), animal.name());
            if (TypeZooTest.jdkRestores(animal, value) && !holdsUrl(value)) {
                assertEquals(animal.seen(value), animal.seen(enforcing.decode(Canaries.jdk(value))), animal.name());
            }
        }
    }

    /** The JDK's own form of a URL is refused, whatever is learned. */
    private static boolean holdsUrl(Object value) {
        return new String(Canaries.jdk(value), StandardCharsets.ISO_8859_1).contains("java.net.URL");
    }
}
