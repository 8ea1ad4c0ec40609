package io.understudy.doctor;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** What applications keep in sessions, well and badly made. */
@SuppressWarnings("UnusedVariable") // The doctor reads fields.
public final class Shop {

    private Shop() {}

    public static class Item implements Serializable {
        private static final long serialVersionUID = 1L;
        public String name;
        public BigDecimal price = new BigDecimal("9.95");
        public Object extra;

        public Item(String name) {
            this.name = name;
        }
    }

    public static final class Cart implements Serializable {
        private static final long serialVersionUID = 1L;
        public final List<Item> items = new ArrayList<>();
        public final Map<Object, Object> notes = new HashMap<>();
        public Address shipTo;

        public static Cart of(int items) {
            Cart cart = new Cart();
            for (int i = 0; i < items; i++) {
                cart.items.add(new Item("item " + i));
            }
            return cart;
        }
    }

    public static final class Address implements Serializable {
        private static final long serialVersionUID = 1L;
        public String city;
        public final List<String> lines = new ArrayList<>();

        public Address(String city) {
            this.city = city;
        }
    }

    /** Its author forgot the price. */
    public static final class Forgetful extends Item {
        private static final long serialVersionUID = 1L;

        public Forgetful(String name) {
            super(name);
        }

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.writeInt(1);
        }

        private void readObject(ObjectInputStream in) throws IOException {
            in.readInt();
            price = null;
        }
    }

    public static final class NamedList extends ArrayList<Object> {
        private static final long serialVersionUID = 1L;
        public transient Object cache;
        public String name = "n";
    }

    public static final class Node implements Serializable {
        private static final long serialVersionUID = 1L;
        public Node next;
        public Node previous;
        public Object value;

        /** The first of a chain. */
        public static Node chain(int length) {
            Node first = new Node();
            for (int i = 1; i < length; i++) {
                Node node = new Node();
                node.next = first;
                first = node;
            }
            return first;
        }
    }

    public record Line(Item item, int amount) implements Serializable {}

    public static final class Money implements Serializable {
        private static final long serialVersionUID = 1L;
        private final long cents;
        private final String currency;

        public Money(long cents, String currency) {
            this.cents = cents;
            this.currency = currency;
        }
    }

    public static final class Lock {}

    public static final class Cached implements Serializable {
        private static final long serialVersionUID = 1L;
        public final transient Lock lock;
        public transient int hits = 7;
        public String kept = "kept";

        public Cached(Lock lock) {
            this.lock = lock;
        }
    }

    /** Its hash code is gone with the transient field. */
    public static final class Label implements Serializable {
        private static final long serialVersionUID = 1L;
        private final String text;
        private final transient Integer hash;

        public Label(String text) {
            this.text = text;
            this.hash = text.hashCode();
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Label that && text.equals(that.text);
        }

        @Override
        public int hashCode() {
            return Objects.hashCode(hash);
        }
    }

    /** Can be written, and not be read. */
    public static final class OneWay implements Serializable {
        private static final long serialVersionUID = 1L;

        private void readObject(ObjectInputStream in) throws IOException {
            throw new IOException("no way back");
        }
    }

    /** The same, with a form of its own both ways. */
    public static final class OwnWay implements Serializable {
        private static final long serialVersionUID = 1L;

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.writeInt(1);
        }

        private void readObject(ObjectInputStream in) throws IOException {
            throw new IOException("no way back");
        }
    }

    /** Calls of its equals fail. */
    public static final class Angry implements Serializable {
        private static final long serialVersionUID = 1L;

        @Override
        public boolean equals(Object other) {
            throw new IllegalStateException("angry");
        }

        @Override
        public int hashCode() {
            return 1;
        }
    }

    public static final class Group implements Serializable {
        private static final long serialVersionUID = 1L;
        public final Set<Member> members = new HashSet<>();
        public final String name;

        public Group(String name) {
            this.name = name;
        }
    }

    /** When it is read before its group is, its hash code is another. */
    public static final class Member implements Serializable {
        private static final long serialVersionUID = 1L;
        private final Group group;

        public Member(Group group) {
            this.group = group;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Member that && Objects.equals(group.name, that.group.name);
        }

        @Override
        public int hashCode() {
            return Objects.hashCode(group.name);
        }
    }
}
