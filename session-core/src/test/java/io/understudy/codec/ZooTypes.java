package io.understudy.codec;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Date;
import java.util.EventObject;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Classes as applications write them. */
@SuppressWarnings({"serial", "JavaUtilDate"})
final class ZooTypes {

    private ZooTypes() {}

    record Point(int x, int y) implements Serializable {}

    record Primitives(boolean a, byte b, char c, short d, int e, long f, float g, double h) implements Serializable {}

    record Basket(List<Point> points, String name) implements Serializable {}

    record Box<T>(@Nullable T content) implements Serializable {}

    record Positive(int value) implements Serializable {
        Positive {
            if (value <= 0) {
                throw new IllegalArgumentException("not positive: " + value);
            }
        }
    }

    static final class Final implements Serializable {
        private final String text;
        private final int number;

        Final(String text, int number) {
            this.text = text;
            this.number = number;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Final that && text.equals(that.text) && number == that.number;
        }

        @Override
        public int hashCode() {
            return Objects.hash(text, number);
        }
    }

    /** Without a constructor that a reader could call. */
    static final class Unmade implements Serializable {
        private final String text;

        Unmade(String text) {
            this.text = Objects.requireNonNull(text);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Unmade that && text.equals(that.text);
        }

        @Override
        public int hashCode() {
            return text.hashCode();
        }
    }

    static final class Custom implements Serializable {
        private transient int value;

        Custom(int value) {
            this.value = value;
        }

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.writeInt(value);
        }

        private void readObject(ObjectInputStream in) throws IOException {
            value = in.readInt();
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Custom that && value == that.value;
        }

        @Override
        public int hashCode() {
            return value;
        }
    }

    /** Transient fields come back as their type's default, as with JDK serialization. */
    static final class WithTransient implements Serializable {
        private final int kept;

        @SuppressWarnings("UnusedVariable")
        private transient int notKept = 7;

        WithTransient(int kept) {
            this.kept = kept;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof WithTransient that && kept == that.kept;
        }

        @Override
        public int hashCode() {
            return kept;
        }
    }

    static class Super implements Serializable {
        private final int value;

        Super(int value) {
            this.value = value;
        }

        int first() {
            return value;
        }
    }

    static final class Sub extends Super {
        private final int value;

        Sub(int first, int value) {
            super(first);
            this.value = value;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Sub that && first() == that.first() && value == that.value;
        }

        @Override
        public int hashCode() {
            return Objects.hash(first(), value);
        }
    }

    static final class NamedArrayList extends ArrayList<String> {
        final String name;

        NamedArrayList(String name) {
            this.name = name;
            add("x");
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof NamedArrayList that && name.equals(that.name) && super.equals(other);
        }

        @Override
        public int hashCode() {
            return super.hashCode();
        }
    }

    static final class NamedHashMap extends HashMap<String, String> {
        final String name;

        NamedHashMap(String name) {
            this.name = name;
            put("k", "v");
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof NamedHashMap that && name.equals(that.name) && super.equals(other);
        }

        @Override
        public int hashCode() {
            return super.hashCode();
        }
    }

    static final class NamedDate extends Date {
        final String name;

        NamedDate(String name) {
            super(1000);
            this.name = name;
        }
    }

    static final class Lru extends LinkedHashMap<Integer, Integer> {
        Lru(Map<Integer, Integer> content) {
            super(16, 0.75f, true);
            putAll(content);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, Integer> eldest) {
            return size() > 2;
        }
    }

    static final class Failure extends Exception {
        final int code;

        Failure(String message, int code) {
            super(message);
            this.code = code;
        }

        @Override
        public String getMessage() {
            return super.getMessage() + code;
        }
    }

    static final class Event extends EventObject {
        final int number;

        Event(String source, int number) {
            super(source);
            this.number = number;
        }
    }

    static final class Outer implements Serializable {
        private final int number;

        Outer(int number) {
            this.number = number;
        }

        Inner inner() {
            return new Inner();
        }

        final class Inner implements Serializable {
            @Override
            public String toString() {
                return "inner of " + number;
            }
        }
    }

    static final class Unserializable {
        private int number = 3;

        Within inner() {
            return new Within();
        }

        final class Within implements Serializable {
            @Override
            public String toString() {
                return "inner of " + number++;
            }
        }
    }
}
