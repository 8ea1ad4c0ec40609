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
        /** Nothing: {@code OK}, then of each session that no {@link #FILL} made: id, number of attributes, names and values. */
        DUMP,
        /** From, to, idle seconds, bytes, threads: {@code OK}, and how many creations ended as asked. */
        FILL,
        /** From, to, bytes: {@code OK}, how many of those are not here, and how many hold something else. */
        CHECK,
        /** Nothing: {@code true} or {@code false}, and why. */
        READY,
        /** Nothing: {@code OK}, and the view with its number and its members' names. */
        VIEW,
        /** Nothing: names and values of counters and gauges. */
        FIGURES,
        /** Nothing: {@code OK}, bytes of the heap in use after a collection, and their peak since the last time. */
        HEAP,
        /** Nothing: {@code OK}, then of each entry of the audit, oldest first: what happened, key, id, member. */
        AUDIT,
        /** {@code true} or {@code false}: {@code OK} when the node is coherent, or incoherent. */
        TURN,
        /** Milliseconds: {@code OK}; the clock on this member's wall is that much ahead of the machine's. */
        CLOCK,
        /** A number: {@code OK}; of the ends that this member notes from now on, that one is the last. */
        LAST_END,
        /** Nothing: {@code OK}, or nothing; the process is killed at its {@link #LAST_END}, now if that is noted. */
        MAY_DIE,
        /** Nothing: {@code OK} when the node runs and the application is deployed. */
        START,
        /** Nothing: {@code OK} when the application is taken away and the node has left. */
        STOP,
        /** Nothing: {@code OK} when the application is taken away, the node being there. */
        UNDEPLOY
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
