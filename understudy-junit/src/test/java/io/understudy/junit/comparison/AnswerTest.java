package io.understudy.junit.comparison;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Responses of runs whose ports differ. */
@Tag("rules")
class AnswerTest {

    private static Answer answer(int port, String header, String value, byte[] body) {
        HttpHeaders headers = HttpHeaders.of(Map.of(header, List.of(value)), (name, each) -> true);
        return Answer.of(200, headers, body, "127.0.0.1:" + port);
    }

    private static Answer redirect(int port, String path) {
        return answer(port, "Location", "http://127.0.0.1:" + port + path, new byte[0]);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] packed(String text) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(utf8(text));
        }
        return packed.toByteArray();
    }

    @Test
    void absoluteRedirectsAreComparedWithoutThePort() {
        assertEquals(redirect(40001, "/home"), redirect(40002, "/home"));
        assertNotEquals(redirect(40001, "/home"), redirect(40002, "/login"));
    }

    @Test
    void linksInPagesAreComparedWithoutThePort() {
        assertEquals(
                answer(40001, "Content-Type", "text/html", utf8("<a href='http://127.0.0.1:40001/a'>")),
                answer(40002, "Content-Type", "text/html", utf8("<a href='http://127.0.0.1:40002/a'>")));
    }

    @Test
    void packedPagesAreComparedAsText() throws IOException {
        Answer answer = answer(40001, "Content-Encoding", "gzip", packed("tea cup"));
        assertEquals("tea cup", answer.body());
    }

    @Test
    void unknownEncodingsAreComparedByTheirBytes() {
        assertTrue(answer(40001, "Content-Encoding", "br", utf8("tea")).body().startsWith("3 bytes, hash "));
        assertTrue(answer(40001, "Content-Encoding", "gzip", utf8("tea")).body().startsWith("3 bytes, hash "));
    }
}
