package io.understudy.codec;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;

/** An element that does something while it is encoded, once: to the container it is in, for example. */
interface Trap extends Comparable<Trap> {

    /** What the next trap that this thread encodes does. */
    ThreadLocal<Runnable> SET = ThreadLocal.withInitial(() -> () -> {});

    int number();

    @Override
    default int compareTo(Trap other) {
        return Integer.compare(hashCode(), other.hashCode());
    }

    /** Runs what was set, which is gone then. */
    static void spring() {
        Runnable work = SET.get();
        SET.set(() -> {});
        work.run();
    }

    /** By Kryo, which asks records for their components. */
    record InRecord(int number) implements Trap, Serializable {

        @Override
        public int number() {
            spring();
            return number;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof InRecord that && number == that.number;
        }

        @Override
        public int hashCode() {
            return number;
        }
    }

    /** In a JDK stream. */
    final class InStream implements Trap, Serializable {

        private static final long serialVersionUID = 1L;

        private final int number;

        InStream(int number) {
            this.number = number;
        }

        @Override
        public int number() {
            return number;
        }

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.defaultWriteObject();
            spring();
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof InStream that && number == that.number;
        }

        @Override
        public int hashCode() {
            return number;
        }
    }
}
