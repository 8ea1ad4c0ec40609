package io.understudy.museum.attacks;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.rmi.server.ObjID;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Properties;
import java.util.Vector;
import org.jspecify.annotations.Nullable;

/** Parts of chains that the JDK has: what begins them, and where many end. */
@SuppressWarnings("serial") // Of stand-ins; the stream has the numbers of the classes they stand for.
final class JdkParts {

    private JdkParts() {}

    @WrittenAs("sun.reflect.annotation.AnnotationInvocationHandler")
    static final class Annotated implements InvocationHandler, Serializable {
        final Class<?> type;
        final Object memberValues;

        Annotated(Class<?> type, Object memberValues) {
            this.type = type;
            this.memberValues = memberValues;
        }

        @Override
        public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) {
            return method.getName().equals("hashCode") ? Integer.valueOf(0) : null;
        }
    }

    /** A handler that answers each method with the value of its name. */
    static Annotated answering(Object memberValues) {
        return new Annotated(Override.class, memberValues);
    }

    static Object proxy(InvocationHandler handler, Class<?>... interfaces) {
        return Proxy.newProxyInstance(JdkParts.class.getClassLoader(), interfaces, handler);
    }

    @WrittenAs("com.sun.org.apache.xalan.internal.xsltc.trax.TemplatesImpl")
    static final class Templates implements Serializable {
        final String _name = "harmless";
        final byte[][] _bytecodes = {};
        final Class<?> @Nullable [] _class = null;
        final int _transletIndex = -1;
        final @Nullable Properties _outputProperties = null;
        final int _indentNumber = 0;

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.defaultWriteObject();
            out.writeBoolean(false);
        }
    }

    @WrittenAs("javax.management.BadAttributeValueExpException")
    static final class BadAttribute implements Serializable {
        final Object val;

        BadAttribute(Object val) {
            this.val = val;
        }
    }

    @WrittenAs("com.sun.org.apache.xpath.internal.objects.XObject")
    static class AnyOfXpath implements Serializable {
        final Object m_obj = "harmless";
    }

    @WrittenAs("com.sun.org.apache.xpath.internal.objects.XString")
    static final class TextOfXpath extends AnyOfXpath {}

    @WrittenAs("javax.swing.undo.AbstractUndoableEdit")
    static class Edit implements Serializable {
        final boolean hasBeenDone = true;
        final boolean alive = true;
    }

    @WrittenAs("javax.swing.undo.CompoundEdit")
    static class Edits extends Edit {
        final boolean inProgress = true;

        @SuppressWarnings("JdkObsolete") // The JDK's class has it.
        final Vector<Object> edits = new Vector<>();
    }

    @WrittenAs("javax.swing.undo.UndoManager")
    static final class Undo extends Edits {
        final int indexOfNextAdd = 0;
        final int limit = 100;
    }

    /** Calls {@code toString} of its listener to report that it is none. */
    @WrittenAs("javax.swing.event.EventListenerList")
    static final class Listeners implements Serializable {
        private final transient Undo listener = new Undo();

        Listeners(Object edit) {
            listener.edits.add(edit);
        }

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.defaultWriteObject();
            out.writeObject(InternalError.class.getName());
            out.writeObject(listener);
            out.writeObject(null);
        }
    }

    @WrittenAs("java.rmi.server.RemoteObject")
    static class Remote implements Serializable {
        transient String kind = "";

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.writeUTF(kind);
            if (kind.equals("UnicastRef")) {
                out.writeUTF("127.0.0.1");
                out.writeInt(0);
                new ObjID().write(out);
                out.writeBoolean(false);
            } else {
                out.writeInt(0);
            }
        }
    }

    @WrittenAs("java.rmi.server.RemoteObjectInvocationHandler")
    static final class Caller extends Remote implements InvocationHandler {

        Caller() {
            kind = "UnicastRef";
        }

        @Override
        public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) {
            return null;
        }
    }

    @WrittenAs("java.rmi.server.RemoteServer")
    static class Server extends Remote {}

    @WrittenAs("java.rmi.server.UnicastRemoteObject")
    static final class Exported extends Server {
        final int port = 0;

        Exported() {
            kind = "UnicastServerRef";
        }
    }

    @WrittenAs("com.sun.jndi.ldap.LdapAttribute")
    static final class Ldap implements Serializable {
        final String baseCtxURL = "ldap://127.0.0.1:0";
        final @Nullable Object rdn = null;
    }

    @WrittenAs("com.sun.rowset.JdbcRowSetImpl")
    static final class RowSet implements Serializable {}

    /** Compares the elements when it is read. */
    static Object compared(Object comparator, Object... elements) {
        PriorityQueue<Object> queue = new PriorityQueue<>(2, new Later(comparator));
        for (Object element : elements) {
            queue.add(new Later(element));
        }
        return queue;
    }

    /** Asks the keys for their hash codes when it is read, and compares those of the same. */
    static Object hashed(Object... keys) {
        Map<Object, Object> map = new LinkedHashMap<>();
        for (Object key : keys) {
            map.put(new Later(key), 1);
        }
        return map;
    }

    static Object set(Object... elements) {
        LinkedHashSet<Object> set = new LinkedHashSet<>();
        for (Object element : elements) {
            set.add(new Later(element));
        }
        return set;
    }
}
