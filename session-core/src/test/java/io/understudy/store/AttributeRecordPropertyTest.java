package io.understudy.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.understudy.codec.OddTexts;
import io.understudy.replica.Stamp;
import io.understudy.replica.StampedBytes;
import java.io.IOException;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;

/** A session on disk. */
@Tag("rules")
class AttributeRecordPropertyTest {

    @Provide
    Arbitrary<Map<String, StampedBytes>> attributes() {
        Arbitrary<Stamp> stamps = Combinators.combine(
                        Arbitraries.longs().between(0, Stamp.MAX_TIME), Arbitraries.longs())
                .as(Stamp::new);
        Arbitrary<StampedBytes> values = Combinators.combine(
                        stamps,
                        Arbitraries.bytes().array(byte[].class).ofMaxSize(100).injectNull(0.2))
                .as((stamp, bytes) -> bytes == null ? StampedBytes.tombstone(stamp) : StampedBytes.of(stamp, bytes));
        return Arbitraries.maps(OddTexts.wellFormed(), values).ofMaxSize(6);
    }

    @Property
    void attributesWithAnyNamesComeBack(@ForAll("attributes") Map<String, StampedBytes> attributes) throws IOException {
        assertEquals(attributes, AttributeRecord.read(AttributeRecord.write(attributes, 100)));
    }
}
