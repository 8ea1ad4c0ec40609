package io.understudy.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.codec.HardToRestore.Bean;
import io.understudy.codec.HardToRestore.Line;
import io.understudy.codec.HardToRestore.NamedList;
import io.understudy.codec.HardToRestore.Plain;
import io.understudy.codec.classes.ClassList;
import io.understudy.codec.classes.ClassListFile;
import io.understudy.codec.classes.LearnedClasses;
import io.understudy.testkit.Await;
import io.understudy.testkit.Beside;
import io.understudy.testkit.LogLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The file of a list: who writes it, when, and what is no list. */
@Tag("cluster")
class ClassListFileTest {

    private static final Duration LIMIT = Await.LIMIT;
    private static final Duration INTERVAL = Duration.ofMillis(20);
    private static final Duration NEVER = Duration.ofHours(1);
    private static final String FIRST = "# Understudy attribute classes, version 1\n";

    @TempDir
    Path dir;

    private Path file() {
        return dir.resolve("classes.txt");
    }

    private static GuardedCodec codec(ClassList list) {
        return new GuardedCodec(ClassListFileTest.class::getClassLoader, Set.of(), "", list);
    }

    private Set<String> held() {
        try {
            return Files.exists(file()) ? ClassListFile.read(file()) : Set.of();
        } catch (IOException e) {
            throw new AssertionError("a file that is not whole", e);
        }
    }

    private void awaitHeld(Class<?> type) {
        Await.until(LIMIT, this::held, () -> held().contains(type.getName()));
    }

    @Test
    void newsAreWrittenSoonAndWhatIsKnownIsNot() throws Exception {
        try (GuardedCodec codec = codec(new LearnedClasses(file(), "/shop@n1", INTERVAL))) {
            codec.encode(new Bean("b"));
            awaitHeld(Bean.class);
            codec.encode(Plain.ONE);
            awaitHeld(Plain.class);
            Files.delete(file());
            codec.encode(new Bean("b"));
            codec.encode(Plain.TWO);
        }
        assertFalse(Files.exists(file()), "nothing new, nothing written");
    }

    @Test
    void theEndWritesWhatIsLeft() throws Exception {
        try (GuardedCodec codec = codec(new LearnedClasses(file(), "/shop@n1", NEVER))) {
            codec.encode(new Bean("b"));
            assertFalse(Files.exists(file()));
        }
        assertEquals(Set.of(Bean.class.getName()), held());
    }

    @Test
    void twoOnOneFileLoseNothing() throws Exception {
        List<Object> one = List.of(new Bean("b"), Plain.ONE);
        List<Object> other = List.of(new NamedList("n"), new Line("p", 1, new Bean("b")));
        for (int round = 0; round < 20; round++) {
            Files.deleteIfExists(file());
            List<CompletableFuture<Void>> both = new ArrayList<>();
            for (List<Object> values : List.of(one, other)) {
                both.add(Beside.run(() -> learn(values)));
            }
            both.forEach(CompletableFuture::join);
            assertEquals(
                    new TreeSet<>(Set.of(
                            Bean.class.getName(),
                            Plain.class.getName(),
                            NamedList.class.getName(),
                            Line.class.getName())),
                    held());
        }
    }

    private void learn(List<Object> values) {
        try (GuardedCodec codec = codec(new LearnedClasses(file(), "/shop@n1", Duration.ofMillis(1)))) {
            for (Object value : values) {
                codec.encode(value);
            }
        } catch (IOException | NotReplicableException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aFileThatCannotBeWrittenIsNamedOnceAndTheApplicationGoesOn() throws Exception {
        Path gone = Files.createDirectory(dir.resolve("gone"));
        Path list = gone.resolve("classes.txt");
        try (LogLines log = new LogLines(LearnedClasses.class.getName());
                GuardedCodec codec = codec(new LearnedClasses(list, "/shop@n1", INTERVAL))) {
            Await.until(LIMIT, () -> "no file", () -> Files.exists(list));
            Files.delete(list);
            Files.delete(gone.resolve("classes.txt.lock"));
            Files.delete(gone);
            codec.encode(new Bean("b"));
            Await.until(LIMIT, () -> "no line", () -> !log.with("WARNING").isEmpty());
            codec.encode(Plain.ONE);
            Files.createDirectory(gone);
            Set<String> both = Set.of(Bean.class.getName(), Plain.class.getName());
            Await.that(
                    "both are there",
                    () -> Files.exists(list) && ClassListFile.read(list).equals(both));
            assertEquals(1, log.with("WARNING").size(), log.with().toString());
            assertEquals(
                    1,
                    log.with("/shop@n1", list.toString(), "'attributeClasses'", "WARNING")
                            .size());
        }
    }

    @Test
    void anEditedFileKeepsWhatWasAdded() throws Exception {
        Files.writeString(file(), FIRST + "\n  # by hand\n shop.Cart \nshop.Cart$Item\n");
        try (GuardedCodec codec = codec(ClassList.learn(file(), "/shop@n1"))) {
            codec.encode(Plain.ONE);
        }
        assertEquals(new TreeSet<>(Set.of("shop.Cart", "shop.Cart$Item", Plain.class.getName())), held());
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "shop.Cart,                  0, line 1 must be '# Understudy attribute classes, version 1', was 'shop.Cart'",
                "\"\",                       0, line 1 must be",
                "shop.Cart;shop.Item,        1, line 2 must be the binary name of a class",
                "shop.**,                    1, was 'shop.**'",
                "[Lshop.Cart;,               1, such as com.acme.Cart$Item",
                "shop..Cart,                 1, line 2",
                ".Cart,                      1, line 2",
                "shop.,                      1, line 2",
                "shop/Cart,                  1, line 2",
                "shop.Ca rt,                 1, line 2",
                "shop.Ca\\u00zzt,            1, line 2",
            })
    void whatIsNoListIsNeitherReadNorWrittenOver(String line, int first, String expected) throws Exception {
        String text = (first == 1 ? FIRST : "") + line + "\n";
        Files.writeString(file(), text);
        for (Exception refused : List.of(
                assertThrows(IOException.class, () -> ClassList.enforce(file())),
                assertThrows(IOException.class, () -> ClassList.learn(file(), "/shop@n1")),
                assertThrows(IOException.class, () -> ClassListFile.add(file(), Set.of("a.B"))))) {
            assertTrue(refused.getMessage().contains(expected), refused.getMessage());
        }
        assertEquals(text, Files.readString(file()));
    }

    @Test
    void noFileNoTextAndNoPlaceForOneAreRefused() throws Exception {
        Exception missing = assertThrows(IOException.class, () -> ClassList.enforce(file()));
        assertEquals("the file does not exist", missing.getMessage());
        Files.write(file(), new byte[] {'#', (byte) 0xff, '\n'});
        Exception binary = assertThrows(IOException.class, () -> ClassList.enforce(file()));
        assertTrue(binary.getMessage().contains("UTF-8"), binary.getMessage());
        assertThrows(IOException.class, () -> ClassList.enforce(dir));
        assertThrows(IOException.class, () -> ClassList.learn(dir, "/shop@n1"));
        assertThrows(IOException.class, () -> ClassList.learn(dir.resolve("no/such/place"), "/shop@n1"));
        assertFalse(Files.exists(dir.resolve("no")));
    }

    @Test
    void aLinkStaysALink() throws Exception {
        Path target = dir.resolve("real.txt");
        ClassListFile.add(target, Set.of("a.B"));
        Files.createSymbolicLink(file(), target);
        ClassListFile.add(file(), Set.of("a.C"));
        assertTrue(Files.isSymbolicLink(file()));
        assertEquals(Set.of("a.B", "a.C"), ClassListFile.read(target));
    }
}
