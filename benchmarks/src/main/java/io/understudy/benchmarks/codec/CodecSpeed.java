package io.understudy.benchmarks.codec;

import io.understudy.codec.GuardedCodec;
import io.understudy.codec.NotDecodableException;
import io.understudy.codec.NotReplicableException;
import io.understudy.codec.classes.ClassList;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

/**
 * All attributes of a {@link ShopSession} to bytes and back: by the codec, and by JDK serialization without a filter.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class CodecSpeed {

    private final GuardedCodec codec =
            new GuardedCodec(CodecSpeed.class::getClassLoader, Set.of(), "", ClassList.any());

    private final List<Object> attributes = ShopSession.attributes();
    private final List<byte[]> ours = new ArrayList<>();
    private final List<byte[]> theirs = new ArrayList<>();

    /** Encodes once, for decoding. */
    public CodecSpeed() {
        try {
            for (Object attribute : attributes) {
                ours.add(codec.encode(attribute));
                theirs.add(serialized(attribute));
            }
        } catch (NotReplicableException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    int ourBytes() {
        return ours.stream().mapToInt(bytes -> bytes.length).sum();
    }

    int theirBytes() {
        return theirs.stream().mapToInt(bytes -> bytes.length).sum();
    }

    /** The codec. */
    @Benchmark
    public void encode(Blackhole hole) throws NotReplicableException {
        for (Object attribute : attributes) {
            hole.consume(codec.encode(attribute));
        }
    }

    /** The codec. */
    @Benchmark
    public void decode(Blackhole hole) throws NotDecodableException {
        for (byte[] bytes : ours) {
            hole.consume(codec.decode(bytes));
        }
    }

    /** What servlet containers do. */
    @Benchmark
    public void encodeByJdk(Blackhole hole) throws IOException {
        for (Object attribute : attributes) {
            hole.consume(serialized(attribute));
        }
    }

    /** What servlet containers do. */
    @Benchmark
    public void decodeByJdk(Blackhole hole) throws IOException, ClassNotFoundException {
        for (byte[] bytes : theirs) {
            try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
                hole.consume(in.readObject());
            }
        }
    }

    private static byte[] serialized(Object attribute) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(attribute);
        }
        return bytes.toByteArray();
    }
}
