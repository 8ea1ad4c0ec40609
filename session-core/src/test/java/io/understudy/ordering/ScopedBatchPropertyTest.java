package io.understudy.ordering;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.Size;
import org.jgroups.util.ByteArrayDataOutputStream;

/** What a batch's header holds for all places. */
@Tag("rules")
class ScopedBatchPropertyTest {

    @Property(tries = 300)
    void placesOfAllKindsAreReadAsTheyWereWritten(@ForAll @Size(min = 8, max = 80) long[] numbers) throws IOException {
        ScopedBatch batch = new ScopedBatch(8);
        for (int i = 0; i + 4 <= numbers.length; i += 4) {
            batch.add(new ScopeHeader(numbers[i], numbers[i + 1], numbers[i + 2], numbers[i + 3]), new byte[0], 0);
        }
        ScopesHeader header = ScopedBatchTest.header(batch.take());
        ByteArrayDataOutputStream out = new ByteArrayDataOutputStream();
        header.writeTo(out);
        assertEquals(header.serializedSize(), out.position());
        ScopesHeader read = ScopedBatchTest.read(Arrays.copyOf(out.buffer(), out.position()));
        assertEquals(numbers.length / 4, read.count());
        for (int i = 0; i < read.count(); i++) {
            assertEquals(header.place(i).toString(), read.place(i).toString());
        }
    }
}
