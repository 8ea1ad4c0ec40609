package io.understudy.discovery;

import io.understudy.config.ConfigException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.jgroups.Address;
import org.jgroups.View;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.FILE_PING;
import org.jgroups.protocols.PingData;
import org.jgroups.util.Responses;

/**
 * FILE_PING whose files are {@link SharedRegistry}: one for each node, with FILE_PING's line {@code name uuid address:port coordinator}, in a directory for each
 * cluster. A file is there whole or not at all.
 *
 * <p>Threads: as FILE_PING.
 */
final class PROBING_FILE_PING extends FILE_PING {

    /** In bytes: a larger file is none of ours. */
    private static final long MAX_FILE = 4096;

    private final Path directory;
    private final SharedRegistry entries;

    /** @throws ConfigException if the directory can't be written to */
    PROBING_FILE_PING(String node, String directory) {
        this.directory = Path.of(directory);
        this.entries = new SharedRegistry(node, "the files in " + directory, new Written());
        setId(ClassConfigurator.getProtocolId(FILE_PING.class));
        setLocation(directory);
        registerShutdownHook(false);
        refuseUnlessWritable();
    }

    private void refuseUnlessWritable() {
        String problem = null;
        if (!Files.isDirectory(directory)) {
            problem = Files.exists(directory) ? "is not a directory" : "does not exist";
        } else {
            try {
                Files.delete(Files.createTempFile(directory, "understudy", ".try"));
            } catch (IOException e) {
                problem = "can't be written to (" + e + ")";
            }
        }
        if (problem != null) {
            throw new ConfigException("setting 'discoveryDirectory' is '" + directory + "', which " + problem
                    + ": it must be a directory on a file system that all nodes share, and this process "
                    + "must be able to write to it");
        }
    }

    @Override
    protected void createRootDir() {
        // It is there.
    }

    @Override
    public void findMembers(List<Address> members, boolean initial, Responses responses) {
        timer.execute(() -> entries.ask(this, view, members, initial));
    }

    @Override
    protected void handleView(View next, View before, boolean coordinatorChanged) {
        // Entries do not depend on views.
    }

    /** Called when the protocol stops. */
    @Override
    protected void remove(String cluster, Address node) {
        if (cluster != null && node != null) {
            entries.close(node);
        }
    }

    /** A directory for each cluster, with one file for each node. */
    private final class Written implements SharedRegistry.Store {

        private Path cluster() {
            String name = URLEncoder.encode(getClusterName(), StandardCharsets.UTF_8);
            return directory.resolve(name.startsWith(".") ? "%2E" + name.substring(1) : name);
        }

        private Path file(Address node) {
            return cluster().resolve(addressAsString(node) + SUFFIX);
        }

        @Override
        public List<PingData> read() throws IOException {
            Files.createDirectories(cluster());
            List<PingData> all = new ArrayList<>();
            try (DirectoryStream<Path> files = Files.newDirectoryStream(cluster(), "*" + SUFFIX)) {
                for (Path file : files) {
                    all.addAll(read(file));
                }
            }
            return all;
        }

        private List<PingData> read(Path file) throws IOException {
            try {
                if (Files.size(file) <= MAX_FILE) {
                    List<PingData> found =
                            PROBING_FILE_PING.this.read(new ByteArrayInputStream(Files.readAllBytes(file)));
                    return found == null ? List.of() : found;
                }
            } catch (NoSuchFileException e) {
                // Its node stopped just now.
            }
            return List.of();
        }

        @Override
        public void write(PingData own) throws Exception {
            ByteArrayOutputStream line = new ByteArrayOutputStream();
            // Without its name, which is whatever somebody chose: white space ends a word here. Who answers says it.
            PingData unnamed = new PingData(own.getAddress(), true, "node", own.getPhysicalAddr()).coord(own.isCoord());
            PROBING_FILE_PING.this.write(List.of(unnamed), line);
            Path file = file(own.getAddress());
            Path fresh = file.resolveSibling(file.getFileName() + ".new");
            Files.write(fresh, line.toByteArray());
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
        }

        @Override
        public void remove(Address node) throws IOException {
            Files.deleteIfExists(file(node));
        }
    }
}
