package io.understudy.codec;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Output;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamConstants;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Classes that the filter keeps out, and bytes of either format that name them. */
public final class Outsiders {

    /**
     * By name; of known attacks also some whose library is not here. Nothing else in the JVM initializes one of them:
     * neither the JDK itself nor a fuzzer.
     */
    public static final List<String> NAMES = List.of(
            // They note it when they are initialized.
            "bsh.GadgetCanary",
            "org.apache.catalina.ContainerCanary",
            // Of this module's libraries.
            "org.jgroups.protocols.FRAG4",
            // Of the JDK, and no values.
            "java.awt.Button",
            "javax.swing.JTree",
            "javax.management.modelmbean.DescriptorSupport",
            // Of the JDK, and known for attacks.
            "com.sun.jndi.ldap.LdapAttribute",
            "com.sun.org.apache.xalan.internal.xsltc.trax.TemplatesImpl",
            "com.sun.rowset.JdbcRowSetImpl",
            "java.beans.EventHandler",
            "java.beans.beancontext.BeanContextSupport",
            "java.rmi.server.UnicastRemoteObject",
            "java.security.SignedObject",
            "javax.management.BadAttributeValueExpException",
            "javax.script.ScriptEngineManager",
            "javax.swing.undo.UndoManager",
            // Of libraries, and known for attacks.
            "clojure.lang.Iterate",
            "com.fasterxml.jackson.databind.node.POJONode",
            "com.mchange.v2.c3p0.WrapperConnectionPoolDataSource",
            "org.apache.commons.beanutils.BeanComparator",
            "org.apache.commons.collections.functors.InvokerTransformer",
            "org.codehaus.groovy.runtime.MethodClosure",
            "org.hibernate.engine.spi.TypedValue",
            "org.springframework.core.SerializableTypeWrapper$MethodInvokeTypeProvider");

    private Outsiders() {}

    /** Stands for an outsider until its description is written. */
    private static final class Insider implements Serializable {
        private static final long serialVersionUID = 1L;
    }

    /** Attributes of either format that name a class: alone, in a list, of an array, and as an object itself. */
    public static List<byte[]> bytes(String className) {
        return Stream.concat(inKryo(className).stream(), inStreams(className).stream())
                .toList();
    }

    /** In Kryo's format, as nobody writes it: alone, in a list, and as an element of an array. */
    public static List<byte[]> inKryo(String className) {
        return List.of(kryo(className), kryo("[L" + className + ";"), kryoInList(className));
    }

    private static List<byte[]> inStreams(String className) {
        return List.of(
                jdk(new Insider(), className),
                jdk(new Insider[] {new Insider()}, className),
                jdk(new ArrayList<>(List.of("x", new Insider())), className),
                jdk(Insider.class, className),
                proxy(className));
    }

    private static byte[] kryo(String className) {
        Output out = new Output(64, -1);
        out.writeByte(0);
        writeNamed(out, 0, className);
        return out.toBytes();
    }

    private static byte[] kryoInList(String className) {
        Output out = new Output(64, -1);
        out.writeByte(0);
        writeName(out, 0, ArrayList.class.getName());
        out.writeVarInt(Kryo.NOT_NULL, true);
        out.writeVarIntFlag(false, 2, true);
        writeNamed(out, 1, className);
        return out.toBytes();
    }

    /** The number is that of a class which was not there before, so its name follows, and then what kind it is of. */
    private static void writeName(Output out, int number, String className) {
        out.writeVarInt(1, true);
        out.writeVarInt(number, true);
        out.writeString(className);
        out.writeByte(className.startsWith("[") ? 'a' : 'b');
    }

    private static void writeNamed(Output out, int number, String className) {
        writeName(out, number, className);
        out.writeVarInt(Kryo.NOT_NULL, true);
        out.writeBytes(new byte[16]);
    }

    private static byte[] jdk(Object value, String className) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(1);
        try (ObjectOutputStream out = new Renaming(bytes, className)) {
            out.writeObject(value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static final class Renaming extends ObjectOutputStream {

        private final String className;

        Renaming(ByteArrayOutputStream to, String className) throws IOException {
            super(to);
            this.className = className;
        }

        @Override
        protected void writeClassDescriptor(ObjectStreamClass description) throws IOException {
            Class<?> type = description.forClass();
            if (type != Insider.class && type != Insider[].class) {
                super.writeClassDescriptor(description);
                return;
            }
            writeUTF(type.isArray() ? "[L" + className + ";" : className);
            writeLong(description.getSerialVersionUID());
            writeByte(ObjectStreamConstants.SC_SERIALIZABLE);
            writeShort(0);
        }
    }

    private static byte[] proxy(String interfaceName) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(1);
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeShort(ObjectStreamConstants.STREAM_MAGIC);
            out.writeShort(ObjectStreamConstants.STREAM_VERSION);
            out.writeByte(ObjectStreamConstants.TC_OBJECT);
            out.writeByte(ObjectStreamConstants.TC_PROXYCLASSDESC);
            out.writeInt(1);
            out.writeUTF(interfaceName);
            out.writeByte(ObjectStreamConstants.TC_ENDBLOCKDATA);
            out.writeByte(ObjectStreamConstants.TC_NULL);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }
}
