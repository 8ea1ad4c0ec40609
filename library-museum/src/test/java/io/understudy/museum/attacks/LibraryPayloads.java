package io.understudy.museum.attacks;

import static io.understudy.museum.attacks.Payload.loads;

import clojure.lang.PersistentArrayMap;
import java.io.File;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.naming.ResourceRef;
import org.codehaus.groovy.runtime.ConvertedClosure;
import org.codehaus.groovy.runtime.MethodClosure;
import org.h2.jdbcx.JdbcDataSource;
import org.hibernate.property.access.spi.GetterMethodImpl;
import org.postgresql.ds.PGSimpleDataSource;

/** Chains of other languages, of Hibernate, and of drivers. */
@SuppressWarnings("serial") // Of stand-ins; the stream has the numbers of the classes they stand for.
final class LibraryPayloads {

    private static final String MODEL = "clojure.inspector.proxy$javax.swing.table.AbstractTableModel$ff19274a";
    private static final String FILE = "scala.sys.process.ProcessBuilderImpl$FileOutput$$anonfun$$lessinit$greater$3";

    private LibraryPayloads() {}

    @WrittenAs(MODEL)
    static final class Model implements Serializable {
        final Object __clojureFnMap = PersistentArrayMap.EMPTY.assoc("hashCode", new Canary.Function());
    }

    @WrittenAs("clojure.lang.Iterate")
    static final class Iteration implements Serializable {
        final Object f = new Canary.Function();
        final Object prevSeed = 1;
    }

    @WrittenAs("org.hibernate.type.ComponentType")
    static final class Component implements Serializable {
        final int propertySpan = 1;
        final Object getter;

        Component(Object getter) {
            this.getter = getter;
        }
    }

    @WrittenAs("org.hibernate.engine.spi.TypedValue")
    static final class Typed implements Serializable {
        final Object type;
        final Object value;

        Typed(Object type, Object value) {
            this.type = type;
            this.value = value;
        }
    }

    static List<Payload> all() {
        return List.of(
                loads(
                        "Clojure",
                        MODEL,
                        "Clojure 1.9 and later refuse to read proxies",
                        () -> JdkParts.hashed(new Model())),
                loads(
                        "Clojure by iteration",
                        "clojure.lang.Iterate",
                        "Clojure 1.12 refuses to read iterations",
                        () -> JdkParts.hashed(new Iteration())),
                loads(
                        "Groovy1",
                        "org.codehaus.groovy.runtime.MethodClosure",
                        "Groovy 2.4.4 and later refuse to read the closure",
                        LibraryPayloads::groovy),
                loads(
                        "Hibernate1",
                        "org.hibernate.engine.spi.TypedValue",
                        "Hibernate 6 has other tuplizers",
                        () -> hibernate("getSong")),
                loads(
                        "Hibernate2",
                        "org.hibernate.engine.spi.TypedValue",
                        "Hibernate 6 has other tuplizers",
                        () -> new ArrayList<>(List.of(hibernate("touch"), new JdkParts.RowSet()))),
                loads("Scala1", FILE, "nothing asks the function since Scala 2.13.9", LibraryPayloads::scala),
                loads("H2", "org.h2.jdbcx.JdbcDataSource", "a getter ends it", JdbcDataSource::new),
                loads(
                        "PostgreSQL",
                        "org.postgresql.ds.PGSimpleDataSource",
                        "a getter ends it",
                        PGSimpleDataSource::new),
                loads(
                        "Tomcat naming",
                        "org.apache.naming.ResourceRef",
                        "a look-up ends it",
                        () -> new ResourceRef("io.understudy.None", null, null, null, false)));
    }

    private static Object groovy() {
        ConvertedClosure closure = new ConvertedClosure(new MethodClosure(new Canary(), "touch"), "entrySet");
        return JdkParts.answering(JdkParts.proxy(closure, Map.class));
    }

    private static Object hibernate(String method) throws NoSuchMethodException {
        Object getter = new GetterMethodImpl(Canary.class, "song", Canary.class.getMethod(method));
        return JdkParts.hashed(new Typed(new Component(getter), new Canary()));
    }

    /** A function that would empty a file. Nobody calls it. */
    private static Object scala() throws ReflectiveOperationException {
        Class<?> outer = Class.forName("scala.sys.process.ProcessBuilder$");
        return Class.forName(FILE)
                .getConstructor(outer, File.class, boolean.class)
                .newInstance(null, new File("/nowhere/at-all"), true);
    }
}
