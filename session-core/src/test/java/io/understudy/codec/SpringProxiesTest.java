package io.understudy.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.codec.classes.ClassList;
import java.net.URLClassLoader;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes number the methods of a generated proxy differently, and a proxy comes back all the same. */
@Tag("rules")
class SpringProxiesTest {

    private static final String PROXY = "shop.Cart$$SpringCGLIB$$0";

    private static final String ONE_ORDER = "final void CGLIB$add$0() {} final void CGLIB$clear$1() {}";
    private static final String OTHER_ORDER = "final void CGLIB$clear$0() {} final void CGLIB$add$1() {}";
    private static final String CALLBACK = "public Object CGLIB$CALLBACK_0 = \"called\";";

    /** A node's classes. The cart reads itself, so it goes by JDK serialization. */
    private static Compiled node(String name, String members) {
        String cart = "package shop; public class Cart implements java.io.Serializable {"
                + " private static final long serialVersionUID = 1; public int items = 3;"
                + " private void readObject(java.io.ObjectInputStream in) throws Exception { in.defaultReadObject(); } }";
        String proxy =
                "package shop; public class " + name.substring("shop.".length()) + " extends Cart {" + members + "}";
        return Compiled.loader(Map.of("shop.Cart", cart, name, proxy));
    }

    private static Object passed(URLClassLoader writer, URLClassLoader reader, String name) throws Exception {
        Object proxy = writer.loadClass(name).getConstructor().newInstance();
        byte[] bytes = new GuardedCodec(() -> writer, Set.of(), "", ClassList.any()).encode(proxy);
        return new GuardedCodec(() -> reader, Set.of(), "", ClassList.any()).decode(bytes);
    }

    @Test
    void methodsInAnotherOrderAreNoOtherVersion() throws Exception {
        try (URLClassLoader writer = node(PROXY, CALLBACK + ONE_ORDER);
                URLClassLoader reader = node(PROXY, CALLBACK + OTHER_ORDER)) {
            Object copy = passed(writer, reader, PROXY);
            assertEquals("called", copy.getClass().getField("CGLIB$CALLBACK_0").get(copy));
            assertEquals(3, copy.getClass().getField("items").get(copy));
        }
    }

    /** Each of these could be read as something else. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "public Object CGLIB$CALLBACK_0; public Object CGLIB$CALLBACK_1;",
                "public String CGLIB$CALLBACK_0;",
                "public Object CGLIB$CALLBACK_0; private void readObject(java.io.ObjectInputStream in) {}"
            })
    void proxiesOfOtherContentAreRefused(String callbacks) throws Exception {
        try (URLClassLoader writer = node(PROXY, CALLBACK + ONE_ORDER);
                URLClassLoader reader = node(PROXY, callbacks + OTHER_ORDER)) {
            assertRefused(writer, reader, PROXY);
        }
    }

    @Test
    void interceptorsByNumberNeedTheSameNumbers() throws Exception {
        String byNumber = "public Object CGLIB$CALLBACK_7 = \"adds\"; public Object CGLIB$CALLBACK_8 = \"clears\";";
        try (URLClassLoader writer = node(PROXY, byNumber + ONE_ORDER);
                URLClassLoader reader = node(PROXY, byNumber + OTHER_ORDER)) {
            assertRefused(writer, reader, PROXY);
        }
    }

    @Test
    void otherClassesAreOfTheVersionTheySay() throws Exception {
        try (URLClassLoader writer = node("shop.Special", CALLBACK + ONE_ORDER);
                URLClassLoader reader = node("shop.Special", CALLBACK + OTHER_ORDER)) {
            assertRefused(writer, reader, "shop.Special");
        }
    }

    private static void assertRefused(URLClassLoader writer, URLClassLoader reader, String name) {
        NotDecodableException refused = assertThrows(NotDecodableException.class, () -> passed(writer, reader, name));
        assertTrue(refused.getMessage().contains(name), refused.getMessage());
    }
}
