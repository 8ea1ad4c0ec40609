package io.understudy.testkit.member;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * What is said to a {@link Member}, and what it answers.
 *
 * <pre>
 * request = words      ; the operation, then its arguments
 * answer  = words      ; the result, then what belongs to it
 * words   = count:int (length:int UTF-8*)
 * </pre>
 */
final class Call {

    /** Above any dump of an experiment, in bytes or words. */
    private static final int MAX = 64 << 20;

    private Call() {}

    /** What a member can be asked for; its arguments and its answer. */
    enum Operation {
        /** id, idle seconds, then names and values: the outcome. */
        CREATE,
        /** id, then names and values, an empty value removes: the outcome. */
        WRITE,
        /** id: {@code OK}, then names and values. */
        READ,
        /** id: the outcome. */
        INVALIDATE,
        /** id, new id: the outcome. */
        RENAME,
        /** id, name, milliseconds: reads a number, adds one after that time, commits; the outcome. */
        INCREMENT,
        /** Nothing: {@code OK}, then of each session: id, number of attributes, names and values. */
        DUMP,
        /** Nothing: {@code true} or {@code false}, and why. */
        READY,
        /** Nothing: names and values of counters and gauges. */
        FIGURES,
        /** Nothing: what ended here, as id and cause, in order. */
        ENDED
    }

    static void write(DataOutput out, List<String> words) throws IOException {
        out.writeInt(words.size());
        for (String word : words) {
            byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
            out.writeInt(bytes.length);
            out.write(bytes);
        }
    }

    static List<String> read(DataInput in) throws IOException {
        int count = bounded(in.readInt());
        List<String> words = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            byte[] bytes = new byte[bounded(in.readInt())];
            in.readFully(bytes);
            words.add(new String(bytes, StandardCharsets.UTF_8));
        }
        return words;
    }

    private static int bounded(int value) throws IOException {
        if (value < 0 || value > MAX) {
            throw new IOException("expected 0 to " + MAX + ", got " + value);
        }
        return value;
    }
}
