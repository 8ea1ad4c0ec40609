package io.understudy.tomcat.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("rules")
class ContainerLocalAttributesTest {

    private final ConcurrentMap<String, Object> replicated = new ConcurrentHashMap<>();
    private final ContainerLocalAttributes attributes =
            new ContainerLocalAttributes(replicated, (name, value) -> value instanceof Thread);

    @Test
    void anExcludedValueIsThereButNotReplicated() {
        attributes.put("thread", Thread.currentThread());
        attributes.put("name", "ann");
        assertEquals(Thread.currentThread(), attributes.get("thread"));
        assertEquals(Map.of("name", "ann"), replicated);
        assertEquals(Set.of("thread", "name"), attributes.keySet());
        assertEquals(Map.of("thread", Thread.currentThread(), "name", "ann"), attributes);
    }

    @Test
    void aNameHasOneValueWhereverItLives() {
        assertNull(attributes.put("a", "text"));
        assertEquals("text", attributes.put("a", Thread.currentThread()));
        assertFalse(replicated.containsKey("a"));
        assertEquals(Thread.currentThread(), attributes.put("a", "text again"));
        assertEquals("text again", attributes.remove("a"));
        assertFalse(attributes.containsKey("a"));
    }

    @Test
    void conditionalWritesSeeBothKinds() {
        attributes.put("a", Thread.currentThread());
        assertEquals(Thread.currentThread(), attributes.putIfAbsent("a", "b"));
        assertFalse(attributes.replace("a", "other", "b"));
        assertTrue(attributes.replace("a", Thread.currentThread(), "b"));
        assertEquals("b", replicated.get("a"));
        assertNull(attributes.replace("absent", "b"));
        assertFalse(attributes.remove("a", "other"));
        assertTrue(attributes.remove("a", "b"));
        assertTrue(attributes.isEmpty());
    }
}
