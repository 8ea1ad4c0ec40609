package io.understudy.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.codec.classes.ClassList;
import jakarta.servlet.GenericServlet;
import jakarta.servlet.http.HttpServlet;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An application's servlet comes back, whichever container's Servlet API the writer had. */
@Tag("rules")
class ApiServletsTest {

    /** A servlet of an application. It reads itself, so it goes by JDK serialization, as Vaadin's session does. */
    static final class Shop extends HttpServlet {

        private static final long serialVersionUID = 7L;

        private String name = "pens";

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
        }
    }

    private static GuardedCodec codec() {
        return new GuardedCodec(ApiServletsTest.class::getClassLoader, Set.of(), "", ClassList.any());
    }

    /** The bytes with another version of a class. */
    private static byte[] withVersion(byte[] bytes, Class<?> type, long version) {
        byte[] changed = bytes.clone();
        // Behind its marker and its length, as class descriptions have it, not types of fields.
        byte[] name =
                ('r' + "\0" + (char) type.getName().length() + type.getName()).getBytes(StandardCharsets.ISO_8859_1);
        int at = new String(bytes, StandardCharsets.ISO_8859_1).indexOf(new String(name, StandardCharsets.ISO_8859_1));
        assertTrue(at >= 0, type::getName);
        ByteBuffer.wrap(changed).putLong(at + name.length, version);
        return changed;
    }

    @Test
    void servletsOfAnotherContainerComeBack() throws Exception {
        Shop shop = new Shop();
        shop.name = "ink";
        byte[] bytes = codec().encode(shop);
        byte[] elsewhere = withVersion(withVersion(bytes, HttpServlet.class, 99), GenericServlet.class, 99);
        assertEquals("ink", ((Shop) codec().decode(elsewhere)).name);
    }

    @Test
    void theApplicationsVersionsAreItsOwn() throws Exception {
        byte[] other = withVersion(codec().encode(new Shop()), Shop.class, 8);
        NotDecodableException refused = assertThrows(NotDecodableException.class, () -> codec().decode(other));
        assertTrue(refused.getMessage().contains("serialVersionUID = 8"), refused.getMessage());
    }
}
