package io.understudy.jetty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.codec.GuardedCodec;
import io.understudy.codec.NotReplicableException;
import io.understudy.codec.classes.ClassList;
import java.security.Principal;
import java.util.Set;
import java.util.stream.Stream;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.security.RolePrincipal;
import org.eclipse.jetty.security.UserPrincipal;
import org.eclipse.jetty.util.MultiMap;
import org.eclipse.jetty.util.security.Credential;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What Jetty keeps in sessions, and nothing else of it, may be decoded. */
@Tag("rules")
class ContainerClassesTest {

    /** Those of the older environments, and of logins by OpenID, are of modules that {@link OpenIdIT} loads. */
    static Stream<String> names() {
        return ContainerClasses.NAMES.stream()
                .filter(name -> !name.startsWith("org.eclipse.jetty.ee8.")
                        && !name.startsWith("org.eclipse.jetty.ee9.")
                        && !name.startsWith("org.eclipse.jetty.security.openid."));
    }

    @ParameterizedTest
    @MethodSource("names")
    void areThere(String name) throws Exception {
        assertEquals(
                name, Class.forName(name, false, getClass().getClassLoader()).getName());
    }

    static Stream<Object> values() {
        MultiMap<String> form = new MultiMap<>();
        form.add("name", "value");
        form.add("name", "other");
        HttpURI unusual = HttpURI.from("http://shop.example.org/a%2Fb;c/d?e=f").asImmutable();
        assertTrue(unusual.hasViolations());
        return Stream.of(new RolePrincipal("admin"), form, HttpURI.from("/account?tab=orders"), unusual);
    }

    @ParameterizedTest
    @MethodSource("values")
    void comeBack(Object value) throws Exception {
        try (GuardedCodec codec =
                new GuardedCodec(getClass()::getClassLoader, ContainerClasses.NAMES, "", ClassList.any())) {
            Object copy = codec.decode(codec.encode(value));
            assertEquals(value.getClass(), copy.getClass());
            assertEquals(text(value), text(copy));
        }
        try (GuardedCodec codec = new GuardedCodec(getClass()::getClassLoader, Set.of(), "", ClassList.any())) {
            assertThrows(NotReplicableException.class, () -> codec.encode(value));
        }
    }

    private static String text(Object value) {
        return value instanceof Principal principal ? principal.getName() : value.toString();
    }

    @Test
    void aUserComesBackWithoutACredential() throws Exception {
        try (GuardedCodec codec =
                new GuardedCodec(getClass()::getClassLoader, ContainerClasses.NAMES, "", ClassList.any())) {
            UserPrincipal user = new UserPrincipal("ann", null);
            assertEquals("ann", ((UserPrincipal) codec.decode(codec.encode(user))).getName());
            UserPrincipal withPassword = new UserPrincipal("ann", Credential.getCredential("secret"));
            assertThrows(NotReplicableException.class, () -> codec.encode(withPassword));
        }
    }
}
