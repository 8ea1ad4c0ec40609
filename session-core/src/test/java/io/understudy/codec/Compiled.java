package io.understudy.codec;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Classes that only a loader of their own knows, as those of a web application. Compiled in memory. */
public final class Compiled extends URLClassLoader {

    private final Map<String, byte[]> classes;

    private Compiled(Map<String, byte[]> classes, ClassLoader parent) {
        super(new URL[0], parent);
        this.classes = new ConcurrentHashMap<>(classes);
    }

    /** Without a class, until some are added. */
    public static Compiled none() {
        return new Compiled(Map.of(), Compiled.class.getClassLoader());
    }

    /** One class, by its full name. */
    public static Compiled loader(String name, String source) {
        return loader(Map.of(name, source));
    }

    /** @param sources by the full name of their class, compiled together */
    public static Compiled loader(Map<String, String> sources) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<Source> units = sources.entrySet().stream()
                .map(source -> new Source(source.getKey(), source.getValue()))
                .toList();
        StringWriter complaints = new StringWriter();
        try (Output output = new Output(compiler.getStandardFileManager(null, null, null))) {
            if (!compiler.getTask(complaints, output, null, List.of("-proc:none", "-nowarn"), null, units)
                    .call()) {
                throw new IllegalArgumentException("expected sources that compile: " + complaints);
            }
            return new Compiled(output.classes(), Compiled.class.getClassLoader());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The same classes, not yet loaded, in another loader. */
    public Compiled again() {
        return new Compiled(classes, getParent());
    }

    /** From now on it has these as well. */
    public void add(Compiled others) {
        classes.putAll(others.classes);
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        byte[] bytes = classes.get(name);
        if (bytes == null) {
            throw new ClassNotFoundException(name);
        }
        return defineClass(name, bytes, 0, bytes.length);
    }

    private static final class Source extends SimpleJavaFileObject {

        private final String text;

        Source(String name, String text) {
            super(URI.create("memory:///" + name.replace('.', '/') + Kind.SOURCE.extension), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    private static final class Output extends ForwardingJavaFileManager<JavaFileManager> {

        private final Map<String, ByteArrayOutputStream> written = new HashMap<>();

        Output(JavaFileManager manager) {
            super(manager);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            written.put(name, bytes);
            return new SimpleJavaFileObject(URI.create("memory:///" + name), kind) {
                @Override
                public OutputStream openOutputStream() {
                    return bytes;
                }
            };
        }

        Map<String, byte[]> classes() {
            return written.entrySet().stream()
                    .collect(Collectors.toMap(
                            Map.Entry::getKey, entry -> entry.getValue().toByteArray()));
        }
    }
}
