package io.understudy.codec;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.wire.Mutations;
import io.understudy.wire.WireCodec;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.lifecycle.AfterContainer;

/** Valid frames and attributes that are cut, spliced, repeated and otherwise changed. */
@Tag("cluster")
class HostileBytesPropertyTest {

    /** A build finds what the one before it found; the experiment {@code fuzz} looks for more. */
    private static final String SEED = "20261122";

    /** Some ten thousand times what the slowest takes. */
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private static final List<byte[]> FRAMES = HostileReading.frames();
    private static final List<byte[]> ATTRIBUTES = HostileReading.attributes();
    private static final HostileReading READING = new HostileReading();

    @AfterContainer
    static void close() {
        READING.close();
    }

    @Provide
    Arbitrary<byte[]> frames() {
        return Arbitraries.of(FRAMES);
    }

    @Provide
    Arbitrary<byte[]> attributes() {
        return Arbitraries.of(ATTRIBUTES);
    }

    /** Otherwise what is changed would be refused anyway. */
    @Example
    void unchangedTheyAreRead() {
        FRAMES.forEach(bytes -> assertTrue(READING.frame(bytes)));
        long read = ATTRIBUTES.stream().filter(READING::attribute).count();
        assertTrue(read > 200, read + " of " + ATTRIBUTES.size());
    }

    @Property(tries = 20_000, seed = SEED)
    void aFrameIsReadOrRefused(@ForAll("frames") byte[] frame, @ForAll @Size(min = 1, max = 6) List<Long> changes) {
        READING.frame(Mutations.apply(frame, changes, FRAMES));
    }

    @Provide
    Arbitrary<Integer> versions() {
        return Arbitraries.integers().between(WireCodec.LOWEST_VERSION, WireCodec.HIGHEST_VERSION);
    }

    @Property(tries = 20_000, seed = SEED)
    void bytesThatNobodyWroteAreNoFrameOfAnyKind(
            @ForAll("versions") int version, @ForAll byte kind, @ForAll @Size(max = 200) byte[] body) {
        byte[] bytes = new byte[body.length + 2];
        bytes[0] = (byte) version;
        bytes[1] = kind;
        System.arraycopy(body, 0, bytes, 2, body.length);
        READING.frame(bytes);
    }

    @Property(tries = 6_000, seed = SEED)
    void anAttributeIsReadOrRefused(
            @ForAll("attributes") byte[] attribute, @ForAll @Size(min = 1, max = 6) List<Long> changes) {
        assertRead(Mutations.apply(attribute, changes, ATTRIBUTES));
    }

    @Property(tries = 3_000, seed = SEED)
    void bytesThatNobodyWroteAreNoAttribute(@ForAll boolean kryo, @ForAll @Size(max = 200) byte[] body) {
        byte[] bytes = new byte[body.length + 1];
        bytes[0] = (byte) (kryo ? 0 : 1);
        System.arraycopy(body, 0, bytes, 1, body.length);
        assertRead(bytes);
    }

    /** Or refused; but within some time. */
    private static void assertRead(byte[] bytes) {
        long began = System.nanoTime();
        READING.attribute(bytes);
        assertTrue(
                System.nanoTime() - began < LIMIT.toNanos(),
                () -> HexFormat.of().formatHex(bytes));
    }
}
