package io.understudy.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.codec.classes.ClassList;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Old and new versions of classes read each other, as in a rolling upgrade: what is read is right by names, or refused with the name
 * of a class. Each pair of versions in both directions, with and without {@code serialVersionUID}, in Kryo's format where the codec
 * takes it, and in a JDK stream.
 */
@Tag("cluster")
class EvolutionTest {

    /** Makes the codec take a JDK stream for all it holds. */
    static final class Opened implements Serializable {
        private static final long serialVersionUID = 1L;
        private final Object value;

        Opened(Object value) {
            this.value = value;
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
        }
    }

    /** One version of all classes. */
    private record Side(URLClassLoader loader, GuardedCodec codec) {

        static Side of(List<Change> changes, boolean after, boolean uid) throws IOException {
            Map<String, String> sources = new HashMap<>();
            for (int i = 0; i < changes.size(); i++) {
                Change change = changes.get(i);
                sources.put("c" + i + ".Make", (after ? change.after() : change.before()).source("c" + i, uid));
            }
            URLClassLoader loader = Compiled.loader(sources);
            return new Side(loader, new GuardedCodec(() -> loader, Set.of(), "", ClassList.any()));
        }

        Object make(int unit) throws ReflectiveOperationException {
            return loader.loadClass("c" + unit + ".Make").getMethod("make").invoke(null);
        }
    }

    private final List<String> failures = new ArrayList<>();
    private final Map<Character, Integer> outcomes = new TreeMap<>();

    @Test
    void versionsOfClassesReadEachOtherRightlyOrRefuseByName() throws Exception {
        List<Change> changes = Change.all();
        String[] seen = new String[changes.size()];
        Arrays.fill(seen, "");
        for (boolean uid : new boolean[] {true, false}) {
            Side before = Side.of(changes, false, uid);
            Side after = Side.of(changes, true, uid);
            try (before.loader;
                    after.loader) {
                for (int i = 0; i < seen.length; i++) {
                    String name = changes.get(i) + (uid ? ", equal UIDs" : ", no UIDs");
                    for (boolean stream : new boolean[] {false, true}) {
                        String at = name + (stream ? ", JDK stream" : "");
                        seen[i] += " " + read(at + ", old to new", before, after, i, stream);
                        seen[i] += read(at + ", new to old", after, before, i, stream);
                    }
                }
            }
        }
        for (int i = 0; i < seen.length; i++) {
            String expected = changes.get(i).expected().replaceAll(" +", " ");
            if (!seen[i].strip().equals(expected)) {
                failures.add(changes.get(i) + ": expected " + expected + ", was" + seen[i]);
            }
        }
        assertEquals(List.of(), failures);
        assertEquals(0, outcomes.getOrDefault('W', 0), "wrong values");
        assertTrue(changes.size() >= 185 && outcomes.get('=') > 700, changes.size() + " changes, outcomes " + outcomes);
    }

    /** {@code =} for right, {@code !} for refused, {@code W} for wrong, {@code N} for not encoded. */
    private char read(String what, Side from, Side to, int unit, boolean stream) throws Exception {
        char outcome = outcome(what, from, to, unit, stream);
        outcomes.merge(outcome, 1, Integer::sum);
        return outcome;
    }

    private char outcome(String what, Side from, Side to, int unit, boolean stream) throws Exception {
        Object written = from.make(unit);
        byte[] bytes;
        try {
            bytes = from.codec.encode(stream ? new Opened(written) : written);
        } catch (NotReplicableException e) {
            return 'N';
        }
        try {
            Object read = to.codec.decode(bytes);
            String wrong = ByNames.wrong(written, stream ? ((Opened) read).value : read);
            if (wrong != null) {
                failures.add(what + ": " + wrong);
            }
            return wrong == null ? '=' : 'W';
        } catch (NotDecodableException e) {
            if (!e.getMessage().contains("c" + unit + ".")) {
                failures.add(what + ": refused without a name: " + e.getMessage());
            }
            return '!';
        }
    }
}
