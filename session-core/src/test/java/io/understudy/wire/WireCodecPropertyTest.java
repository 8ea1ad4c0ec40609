package io.understudy.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.understudy.codec.OddTexts;
import io.understudy.codec.WireText;
import io.understudy.replica.Ending;
import io.understudy.replica.Renames;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionDigest;
import io.understudy.replica.SessionKey;
import io.understudy.replica.Stamp;
import io.understudy.replica.Stamped;
import io.understudy.replica.StampedBytes;
import io.understudy.wire.Frame.Ack;
import io.understudy.wire.Frame.Acks;
import io.understudy.wire.Frame.Change;
import io.understudy.wire.Frame.Digests;
import io.understudy.wire.Frame.FindRequest;
import io.understudy.wire.Frame.Membership;
import io.understudy.wire.Frame.Phase;
import io.understudy.wire.Frame.Presence;
import io.understudy.wire.Frame.States;
import io.understudy.wire.Frame.Update;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.Tuple;

/** What the wire format holds for all values. */
@Tag("rules")
class WireCodecPropertyTest {

    @Property
    void updatesComeBackAsTheyWere(@ForAll("updates") Update update, @ForAll("versions") int version)
            throws WireFormatException {
        Change change = new Change(GoldenFrames.APPLICATION, update);
        assertEquals(change, decode(WireCodec.encode(change, version)));
        States states = new States(1, List.of(update, update), false);
        assertEquals(states, decode(WireCodec.encode(states, version)));
    }

    @Property
    void namesOfApplicationsAndIdsComeBack(@ForAll("names") String name, @ForAll("versions") int version)
            throws WireFormatException {
        Presence presence = new Presence(1, 2, true, 1, 2, List.of(new Membership(name, Phase.READY, true, false)));
        assertEquals(presence, decode(WireCodec.encode(presence, version)));
        FindRequest find = new FindRequest(1, GoldenFrames.APPLICATION, name);
        assertEquals(find, decode(WireCodec.encode(find, version)));
    }

    /** Past what checks names: nothing but the declared exception, and what could not travel is not taken for what could. */
    @Property
    void sessionsWithAnyNamesAreReadOrRefused(@ForAll("odd") Update update, @ForAll("versions") int version) {
        Change change = new Change(GoldenFrames.APPLICATION, update);
        boolean fit = update.delta().attributes().keySet().stream().allMatch(name -> WireText.objection(name) == null);
        try {
            assertEquals(fit, change.equals(decode(WireCodec.encode(change, version))));
        } catch (WireFormatException e) {
            assertFalse(fit, e.getMessage());
        }
    }

    @Property
    void numbersOfEverySizeComeBack(@ForAll long request, @ForAll long application, @ForAll long hash)
            throws WireFormatException {
        Digests digests = new Digests(request, List.of(new SessionDigest(new SessionKey(application), hash)), false);
        assertEquals(digests, decode(WireCodec.encode(digests, 1)));
        Acks acks = new Acks(List.of(new Ack(hash >>> 1, true)));
        assertEquals(acks, decode(WireCodec.encode(acks, 2)));
    }

    private static Frame decode(byte[] bytes) throws WireFormatException {
        return WireCodec.decode(bytes, 0, bytes.length);
    }

    @Provide
    Arbitrary<Integer> versions() {
        return Arbitraries.integers().between(WireCodec.LOWEST_VERSION, WireCodec.HIGHEST_VERSION);
    }

    @Provide
    Arbitrary<String> names() {
        return OddTexts.wellFormed();
    }

    @Provide
    Arbitrary<Update> odd() {
        return updates(OddTexts.any(), OddTexts.wellFormed());
    }

    @Provide
    Arbitrary<Update> updates() {
        return updates(OddTexts.wellFormed(), OddTexts.wellFormed());
    }

    private static Arbitrary<Update> updates(Arbitrary<String> names, Arbitrary<String> texts) {
        Arbitrary<Stamp> stamps = Combinators.combine(
                        Arbitraries.longs().between(0, Stamp.MAX_TIME), Arbitraries.of(0L, 1L, -1L, Long.MIN_VALUE))
                .as(Stamp::new);
        Arbitrary<StampedBytes> values = Combinators.combine(
                        stamps,
                        Arbitraries.bytes().array(byte[].class).ofMaxSize(300).injectNull(0.2))
                .as((stamp, bytes) -> bytes == null ? StampedBytes.tombstone(stamp) : StampedBytes.of(stamp, bytes));
        Arbitrary<SessionDelta> deltas = Combinators.combine(
                        Arbitraries.longs(),
                        Arbitraries.of(true, false),
                        Combinators.combine(stamps, texts)
                                .as((stamp, id) -> new Stamped<>(stamp, id))
                                .injectNull(0.3),
                        Combinators.combine(stamps, Arbitraries.integers())
                                .as((stamp, seconds) -> new Stamped<>(stamp, seconds))
                                .injectNull(0.3),
                        stamps.injectNull(0.3),
                        Arbitraries.maps(names, values).ofMaxSize(5),
                        Arbitraries.oneOf(
                                        Arbitraries.just(Ending.INVALIDATED),
                                        stamps.map(Ending::expired),
                                        Arbitraries.just(Ending.united(GoldenFrames.KEY)))
                                .injectNull(0.5),
                        Combinators.combine(
                                        stamps.injectNull(0.3),
                                        Combinators.combine(stamps, texts)
                                                .as((stamp, id) -> new Stamped<>(stamp, id))
                                                .list()
                                                .ofMaxSize(3),
                                        stamps.list().ofMaxSize(20),
                                        stamps.injectNull(0.5))
                                .as((created, rivals, replaced, floor) ->
                                        Tuple.of(created, Renames.read(rivals, replaced, floor))))
                .as((key, complete, id, max, use, attributes, ending, more) -> new SessionDelta(
                        new SessionKey(key),
                        complete,
                        id,
                        max,
                        use,
                        Map.copyOf(attributes),
                        ending,
                        more.get1(),
                        more.get2()));
        return Combinators.combine(
                        Arbitraries.longs().greaterOrEqual(0),
                        Arbitraries.longs().greaterOrEqual(0),
                        deltas)
                .as(Update::new);
    }
}
