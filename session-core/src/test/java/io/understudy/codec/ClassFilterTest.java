package io.understudy.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.codec.classes.ClassFilter;
import io.understudy.codec.classes.ClassList;
import java.io.ByteArrayOutputStream;
import java.io.ObjectOutputStream;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.URL;
import java.net.URLClassLoader;
import java.security.SecureRandom;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.GregorianCalendar;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which classes an attribute may hold, by where they come from. */
@Tag("rules")
class ClassFilterTest {

    private static final String BODY = " implements java.io.Externalizable {"
            + " public void writeExternal(java.io.ObjectOutput out) {}"
            + " public void readExternal(java.io.ObjectInput in) {} }";

    private static ClassFilter filter(ClassLoader application, String own) {
        return new ClassFilter(() -> application, Set.of(), own, ClassList.any());
    }

    private static ClassFilter flat(String own) {
        return filter(ClassFilterTest.class.getClassLoader(), own);
    }

    /** A class with this name in a loader of its own. */
    private URLClassLoader loader(String name) throws Exception {
        int dot = name.lastIndexOf('.');
        return Compiled.loader(
                name, "package " + name.substring(0, dot) + "; public class " + name.substring(dot + 1) + BODY);
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                String.class,
                int.class,
                long[][].class,
                ArrayList.class,
                HashMap[].class,
                TreeMap.class,
                ConcurrentHashMap.class,
                ZonedDateTime.class,
                GregorianCalendar.class,
                InetAddress.class,
                IllegalStateException.class,
                java.util.function.Function.class,
                java.sql.Timestamp.class,
                ClassFilterTest.class
            })
    void valuesOfTheJdkAndClassesBesideThisOneAreAllowed(Class<?> type) {
        assertNull(flat("").objection(type));
    }

    /** A proxy of a scoped bean becomes one of this application's own. */
    @Test
    void whatAReferenceBecomesIsInNoBytes() throws Exception {
        String factory = "org.springframework.beans.factory.support.DefaultListableBeanFactory";
        try (URLClassLoader own = loader(factory)) {
            assertNotNull(filter(own, "").objection(own.loadClass(factory)));
            assertNull(filter(own, "").objectionToOrigin(own.loadClass(factory)));
        }
        assertNotNull(flat("").objection(URL.class));
        assertNull(flat("").objectionToOrigin(URL.class));
        assertNotNull(flat("!java.net.URL").objectionToOrigin(URL.class));
    }

    /** APIs that containers provide: applications extend and keep what is in them. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "jakarta.servlet.http.HttpServlet",
                "jakarta.servlet.ServletException",
                "jakarta.el.ValueExpression",
                "jakarta.mail.internet.InternetAddress",
                "jakarta.faces.application.FacesMessage",
                "org.apache.el.ValueExpressionImpl",
                "org.apache.jasper.el.JspValueExpression"
            })
    void whatIsOfAnApiIsTheApplications(String name) throws Exception {
        try (URLClassLoader shared = loader(name);
                URLClassLoader application = new URLClassLoader(new URL[0], shared)) {
            assertNull(filter(application, "").objection(shared.loadClass(name)));
        }
    }

    @Test
    void allClassesInTheWayAreNamedInOneLine() {
        record Both(Object one, Object other, Object third) implements java.io.Serializable {}
        class Bare {}
        Object value = new Both(new SecureRandom(), List.of(new LogRecord(Level.INFO, "x")), new Bare());
        try (GuardedCodec codec = new GuardedCodec(getClass()::getClassLoader, Set.of(), "", ClassList.any())) {
            String refused = assertThrows(NotReplicableException.class, () -> codec.encode(value))
                    .getMessage();
            assertTrue(refused.contains("can allow them: '"), refused);
            assertTrue(refused.contains("java.security.SecureRandom;"), refused);
            assertTrue(refused.contains("java.util.logging.LogRecord"), refused);
            assertTrue(refused.contains(Bare.class.getName() + " does not implement java.io.Serializable"), refused);
        }
    }

    @Test
    void soAreThoseThatTheyConsistOf() {
        assertNull(flat("").objection(TimeZone.getDefault().getClass()));
        assertNull(flat("").objection(List.of(1, 2, 3).getClass()));
        assertNull(flat("").objection(Map.of(1, 2).getClass()));
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                URL.class,
                Thread.class,
                ProcessBuilder.class,
                java.lang.reflect.Method.class,
                java.rmi.server.UnicastRemoteObject.class,
                javax.management.BadAttributeValueExpException.class,
                javax.swing.JButton.class,
                org.jgroups.util.UUID.class,
                com.esotericsoftware.kryo.Kryo.class
            })
    void whatDoesMoreThanHoldAValueIsNot(Class<?> type) {
        String objection = flat("").objection(type);
        assertNotNull(objection);
        assertTrue(objection.contains(type.getName()), objection);
    }

    @Test
    void theApplicationsOwnClassesAreAllowedWhateverTheirName() throws Exception {
        String name = "org.apache.catalina.ours.Cart";
        try (URLClassLoader own = loader(name)) {
            assertNull(filter(own, "").objection(own.loadClass(name)));
        }
    }

    @Test
    void ofASharedLoaderTheContainersAreNot() throws Exception {
        String name = "org.apache.catalina.realm.Anything";
        try (URLClassLoader shared = loader(name);
                URLClassLoader application = new URLClassLoader(new URL[0], shared)) {
            Class<?> type = shared.loadClass(name);
            assertNotNull(filter(application, "").objection(type));
            assertNull(new ClassFilter(() -> application, Set.of(name), "", ClassList.any()).objection(type));
            assertNull(filter(application, "org.apache.catalina.realm.*").objection(type));
        }
        String other = "com.acme.shared.Product";
        try (URLClassLoader shared = loader(other);
                URLClassLoader application = new URLClassLoader(new URL[0], shared)) {
            assertNull(filter(application, "").objection(shared.loadClass(other)));
        }
    }

    @Test
    void theSettingDecidesButForGadgets() throws Exception {
        assertNull(flat("java.net.URL").objection(URL.class));
        assertNull(flat("java.net.URL").objection(URL[].class));
        assertNotNull(flat("!java.util.ArrayList").objection(ArrayList.class));
        assertNotNull(flat("!*").objection(HashMap.class));
        String gadget = "org.apache.commons.beanutils.BeanComparator";
        try (URLClassLoader own = loader(gadget)) {
            String objection = filter(own, "*").objection(own.loadClass(gadget));
            assertNotNull(objection);
            assertTrue(objection.contains("no pattern"), objection);
            assertNull(filter(own, "com.acme.*;" + gadget).objection(own.loadClass(gadget)));
            assertNull(filter(own, gadget).objectionToName("[L" + gadget + ";"));
        }
    }

    @Test
    void aProxyIsAsGoodAsItsInterfaces() {
        Object harmless = Proxy.newProxyInstance(
                ClassFilterTest.class.getClassLoader(), new Class<?>[] {Runnable.class}, (p, m, a) -> null);
        assertNull(flat("").objection(harmless.getClass()));
        Object other = Proxy.newProxyInstance(
                ClassFilterTest.class.getClassLoader(), new Class<?>[] {org.jgroups.Address.class}, (p, m, a) -> null);
        assertNotNull(flat("").objection(other.getClass()));
    }

    /** Not first by a peer that can't read it. */
    @Test
    void whoSetsTheAttributeIsTold() throws Exception {
        String name = "org.eclipse.jetty.util.Anything";
        try (URLClassLoader shared = loader(name);
                URLClassLoader application = new URLClassLoader(new URL[0], shared);
                GuardedCodec codec = new GuardedCodec(() -> application, Set.of(), "", ClassList.any())) {
            Object value = shared.loadClass(name).getConstructor().newInstance();
            for (Object attribute :
                    List.of(value, new ArrayList<>(List.of("x", value)), new LogRecord(Level.INFO, "x"))) {
                NotReplicableException refused =
                        assertThrows(NotReplicableException.class, () -> codec.encode(attribute));
                assertTrue(refused.getMessage().contains("'attributeFilter' can allow it"), refused.getMessage());
            }
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            bytes.write(1);
            try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
                out.writeObject(value);
            }
            assertThrows(NotDecodableException.class, () -> codec.decode(bytes.toByteArray()));
        }
        try (URLClassLoader shared = loader(name);
                URLClassLoader application = new URLClassLoader(new URL[0], shared);
                GuardedCodec codec = new GuardedCodec(() -> application, Set.of(name), "", ClassList.any())) {
            Object value = shared.loadClass(name).getConstructor().newInstance();
            assertEquals(value.getClass(), codec.decode(codec.encode(value)).getClass());
        }
    }
}
