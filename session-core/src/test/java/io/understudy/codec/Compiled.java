package io.understudy.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.tools.ToolProvider;

/** Classes that only a loader of their own knows, as those of a web application. */
public final class Compiled {

    private Compiled() {}

    /** Classes by name, compiled together. */
    public static URLClassLoader loader(Path dir, Map<String, String> sources) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("-proc:none", "-nowarn", "-d", dir.toString()));
        for (Map.Entry<String, String> source : sources.entrySet()) {
            Path file = dir.resolve(source.getKey().replace('.', '/') + ".java");
            Files.createDirectories(file.getParent());
            Files.writeString(file, source.getValue());
            arguments.add(file.toString());
        }
        int result = ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new));
        assertEquals(0, result);
        return new URLClassLoader(new URL[] {dir.toUri().toURL()}, Compiled.class.getClassLoader());
    }

    public static URLClassLoader loader(Path dir, String name, String source) throws IOException {
        return loader(dir, name, source, Compiled.class.getClassLoader());
    }

    /** @param parent of the loader; the class is compiled without it */
    public static URLClassLoader loader(Path dir, String name, String source, ClassLoader parent) throws IOException {
        Path file = dir.resolve(name.substring(name.lastIndexOf('.') + 1) + ".java");
        Files.writeString(file, source);
        int result = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-proc:none", "-d", dir.toString(), file.toString());
        assertEquals(0, result);
        return new URLClassLoader(new URL[] {dir.toUri().toURL()}, parent);
    }
}
