package io.understudy.testkit;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Keys and certificates made by the JDK's keytool, in PKCS12 files of one password, as an operator makes them. Each
 * is made once. Threads: any.
 */
public final class KeyTool {

    public static final String PASSWORD = "changeit";

    private final Path directory;
    private final Map<String, Path> made = new ConcurrentHashMap<>();

    /** @param directory where the files go */
    public KeyTool(Path directory) {
        this.directory = directory;
    }

    /** The CA's own key and certificate. */
    public Path authority(String name) {
        return made.computeIfAbsent(
                "ca-" + name, file -> generate(file, "ca", "CN=CA " + name, List.of("-ext", "bc:c")));
    }

    /** A key and a certificate signed by that CA, for a year unless options set another time. */
    public Path node(String authority, String name, String... options) {
        Path signer = authority(authority);
        return made.computeIfAbsent(authority + "-" + name, file -> {
            try {
                Files.copy(signer, directory.resolve(file + ".p12"));
                List<String> more = new ArrayList<>(List.of("-signer", "ca"));
                more.addAll(List.of(options));
                Path generated = generate(file, "node", "CN=" + name + ", O=" + authority, more);
                KeyStore store = read(generated);
                store.deleteEntry("ca");
                return write(store, generated);
            } catch (GeneralSecurityException | IOException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    /** The certificates of these CAs. */
    public Path trust(String... authorities) {
        for (String each : authorities) {
            authority(each);
        }
        return made.computeIfAbsent("trust-" + String.join("-", authorities), file -> {
            try {
                KeyStore store = KeyStore.getInstance("PKCS12");
                store.load(null, null);
                for (String each : authorities) {
                    store.setCertificateEntry(each, read(authority(each)).getCertificate("ca"));
                }
                return write(store, directory.resolve(file + ".p12"));
            } catch (GeneralSecurityException | IOException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private static KeyStore read(Path file) throws GeneralSecurityException, IOException {
        return KeyStore.getInstance(file.toFile(), PASSWORD.toCharArray());
    }

    private static Path write(KeyStore store, Path file) throws GeneralSecurityException, IOException {
        try (OutputStream out = Files.newOutputStream(file)) {
            store.store(out, PASSWORD.toCharArray());
        }
        return file;
    }

    private Path generate(String file, String alias, String name, List<String> more) {
        Path store = directory.resolve(file + ".p12");
        List<String> all = new ArrayList<>(List.of("-genkeypair", "-alias", alias, "-dname", name));
        all.addAll(List.of("-keyalg", "EC", "-groupname", "secp256r1", "-keystore", store.toString()));
        if (!more.contains("-validity")) {
            all.addAll(List.of("-validity", "365"));
        }
        all.addAll(more);
        run(all.toArray(String[]::new));
        return store;
    }

    private static void run(String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
        command.addAll(List.of("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-storepass", PASSWORD));
        command.addAll(1, List.of(arguments[0]));
        command.addAll(List.of(arguments).subList(1, arguments.length));
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(Await.LIMIT.toSeconds(), TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IllegalStateException(command + " said: " + said);
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Puts what one file has into another one, at once, as who exchanges certificates should. */
    public static void put(Path from, Path to) {
        try {
            Path beside = to.resolveSibling(to.getFileName() + ".new");
            Files.copy(from, beside, StandardCopyOption.REPLACE_EXISTING);
            Files.move(beside, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
