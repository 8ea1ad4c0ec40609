package io.understudy.tomcat.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.understudy.codec.GuardedCodec;
import io.understudy.codec.NotReplicableException;
import io.understudy.codec.classes.ClassList;
import java.util.List;
import java.util.Set;
import org.apache.catalina.realm.GenericPrincipal;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What Tomcat keeps in sessions, and nothing else of it, may be decoded. */
@Tag("rules")
class ContainerClassesTest {

    static Set<String> names() {
        return ContainerClasses.NAMES;
    }

    @ParameterizedTest
    @MethodSource("names")
    void areThere(String name) throws Exception {
        assertEquals(
                name, Class.forName(name, false, getClass().getClassLoader()).getName());
    }

    @Test
    void aUserComesBackWithItsRoles() throws Exception {
        GenericPrincipal user = new GenericPrincipal("ann", List.of("admin", "buyer"));
        try (GuardedCodec codec =
                new GuardedCodec(getClass()::getClassLoader, ContainerClasses.NAMES, "", ClassList.any())) {
            GenericPrincipal copy = (GenericPrincipal) codec.decode(codec.encode(user));
            assertEquals("ann", copy.getName());
            assertEquals(List.of(user.getRoles()), List.of(copy.getRoles()));
        }
        try (GuardedCodec codec = new GuardedCodec(getClass()::getClassLoader, Set.of(), "", ClassList.any())) {
            assertThrows(NotReplicableException.class, () -> codec.encode(user));
        }
    }
}
