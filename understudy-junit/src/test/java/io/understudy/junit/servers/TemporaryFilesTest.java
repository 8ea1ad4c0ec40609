package io.understudy.junit.servers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** WAR files as they are unpacked. */
@Tag("cluster")
class TemporaryFilesTest {

    @TempDir
    private Path directory;

    private Path war(String... entries) throws IOException {
        Path war = directory.resolve("shop.war");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(war))) {
            for (String entry : entries) {
                zip.putNextEntry(new ZipEntry(entry));
                if (!entry.endsWith("/")) {
                    zip.write(entry.getBytes(StandardCharsets.UTF_8));
                }
            }
        }
        return war;
    }

    @Test
    void aWarIsUnpackedAndDeleted() throws IOException {
        Path unpacked = TemporaryFiles.unpack(war("WEB-INF/", "WEB-INF/web.xml", "images/logo/small.txt"));
        assertEquals("WEB-INF/web.xml", Files.readString(unpacked.resolve("WEB-INF/web.xml")));
        assertEquals("images/logo/small.txt", Files.readString(unpacked.resolve("images/logo/small.txt")));
        TemporaryFiles.delete(unpacked);
        assertFalse(Files.exists(unpacked));
    }

    @Test
    void anEntryOutsideOfTheWarIsRefused() throws IOException {
        Path war = war("../outside.txt");
        IOException refused = assertThrows(IOException.class, () -> TemporaryFiles.unpack(war));
        assertTrue(refused.getMessage().contains("../outside.txt"), refused::getMessage);
    }
}
