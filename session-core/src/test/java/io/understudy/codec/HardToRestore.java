package io.understudy.codec;

import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectOutput;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** Classes whose objects are hard to restore, each in its own way. */
final class HardToRestore {

    private HardToRestore() {}

    /** An ordinary bean, with a field per kind of type. */
    static class Bean implements Serializable {
        private static final long serialVersionUID = 1L;
        private final String name;
        private int count = 3;
        private long[] numbers = {1, -2};
        private List<String> tags = new ArrayList<>(List.of("a", "b"));

        @SuppressWarnings("UnusedVariable")
        private transient Object notKept = new Object();

        Bean(String name) {
            this.name = name;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Bean that
                    && name.equals(that.name)
                    && count == that.count
                    && Arrays.equals(numbers, that.numbers)
                    && tags.equals(that.tags);
        }

        @Override
        public int hashCode() {
            return Objects.hash(name, count, tags);
        }
    }

    static final class SpecialBean extends Bean {
        private static final long serialVersionUID = 1L;

        SpecialBean(String name) {
            super(name);
        }
    }

    record Line(String product, int amount, Bean bean) implements Serializable {}

    enum Plain {
        ONE,
        TWO
    }

    enum WithBody {
        UP {
            @Override
            int step() {
                return 1;
            }
        },
        DOWN {
            @Override
            int step() {
                return -1;
            }
        };

        abstract int step();
    }

    /** Public with a public constructor, as Externalizable asks. */
    public static final class External implements Externalizable {
        private static final long serialVersionUID = 1L;
        private int value;

        public External() {}

        External(int value) {
            this.value = value;
        }

        @Override
        public void writeExternal(ObjectOutput out) throws IOException {
            out.writeInt(value);
        }

        @Override
        public void readExternal(ObjectInput in) throws IOException {
            value = in.readInt();
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof External that && value == that.value;
        }

        @Override
        public int hashCode() {
            return value;
        }
    }

    /** A singleton by readResolve. */
    static final class Single implements Serializable {
        private static final long serialVersionUID = 1L;
        static final Single INSTANCE = new Single();

        Object readResolve() {
            return INSTANCE;
        }
    }

    /** Travels as something else. */
    static final class Replaced implements Serializable {
        private static final long serialVersionUID = 1L;
        private final String text;

        Replaced(String text) {
            this.text = text;
        }

        Object writeReplace() {
            return new Form(text);
        }

        record Form(String text) implements Serializable {
            Object readResolve() {
                return new Replaced(text);
            }
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Replaced that && text.equals(that.text);
        }

        @Override
        public int hashCode() {
            return text.hashCode();
        }
    }

    static final class NamedList extends ArrayList<String> {
        private static final long serialVersionUID = 1L;
        private final String name;

        NamedList(String name) {
            this.name = name;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof NamedList that && name.equals(that.name) && super.equals(other);
        }

        @Override
        public int hashCode() {
            return super.hashCode();
        }
    }

    static final class Node implements Serializable {
        static final long serialVersionUID = 1L;
        Node next;
        final List<Node> others = new ArrayList<>();
    }

    static final class NotSerializableBean {}

    static final class Holder implements Serializable {
        private static final long serialVersionUID = 1L;

        @SuppressWarnings("UnusedVariable")
        private final NotSerializableBean held = new NotSerializableBean();
    }
}
