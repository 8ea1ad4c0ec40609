package io.understudy.codec.streams;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamConstants;
import java.io.ObjectStreamField;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Servlets, as far as the Servlet API implements them. An application's servlet extends them, and sessions of Vaadin
 * hold it. Tomcat and Jetty each have their own code of these classes, with another {@code serialVersionUID} and other
 * fields, which hold nothing of the application's. So a node reads them by field names, whichever container wrote them.
 */
final class ApiServlets {

    private static final Set<String> NAMES =
            Set.of("jakarta.servlet.GenericServlet", "jakarta.servlet.http.HttpServlet");

    private ApiServlets() {}

    /** Whether a class is one, by its name. */
    static boolean isOne(String className) {
        return NAMES.contains(className);
    }

    /**
     * The description of the bytes with the version of the class here. The JDK makes descriptions only from streams.
     *
     * @param written the class as its writer had it: its fields are those of the bytes
     * @param here the class of that name on this node
     */
    static ObjectStreamClass withVersionHere(ObjectStreamClass written, Class<?> here) throws IOException {
        ObjectStreamClass own = ObjectStreamClass.lookup(here);
        if (own == null || own.getSerialVersionUID() == written.getSerialVersionUID()) {
            return written;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeShort(ObjectStreamConstants.STREAM_MAGIC);
        out.writeShort(ObjectStreamConstants.STREAM_VERSION);
        out.writeByte(ObjectStreamConstants.TC_CLASSDESC);
        out.writeUTF(written.getName());
        out.writeLong(own.getSerialVersionUID());
        out.writeByte(ObjectStreamConstants.SC_SERIALIZABLE);
        out.writeShort(written.getFields().length);
        for (ObjectStreamField field : written.getFields()) {
            out.writeByte(field.getTypeCode());
            out.writeUTF(field.getName());
            if (!field.isPrimitive()) {
                out.writeByte(ObjectStreamConstants.TC_STRING);
                out.writeUTF(field.getTypeString());
            }
        }
        out.writeByte(ObjectStreamConstants.TC_ENDBLOCKDATA);
        out.writeByte(ObjectStreamConstants.TC_NULL);
        try (DescriptionReader in = new DescriptionReader(bytes.toByteArray())) {
            return in.description();
        }
    }

    /** Reads a stream that has nothing but the description of a class. */
    private static final class DescriptionReader extends ObjectInputStream {

        private @Nullable ObjectStreamClass description;

        DescriptionReader(byte[] bytes) throws IOException {
            super(new ByteArrayInputStream(bytes));
        }

        ObjectStreamClass description() throws IOException {
            try {
                readObject();
            } catch (ClassNotFoundException e) {
                // Its class is of no interest.
            }
            if (description == null) {
                throw new IOException("expected the description of a class");
            }
            return description;
        }

        @Override
        protected ObjectStreamClass readClassDescriptor() throws IOException, ClassNotFoundException {
            description = super.readClassDescriptor();
            return description;
        }

        @Override
        protected Class<?> resolveClass(ObjectStreamClass of) throws ClassNotFoundException {
            throw new ClassNotFoundException(of.getName());
        }
    }
}
