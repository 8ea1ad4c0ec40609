package io.understudy.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.doctor.Likeness.Difference;
import java.io.Serializable;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Objects of two moments, nodes or class loaders, compared by what they look like. */
@Tag("rules")
class LikenessTest {

    @SuppressWarnings("UnusedVariable") // Its fields are looked at.
    private static final class Product implements Serializable {
        private BigDecimal price;
        private transient List<String> tags = new ArrayList<>();

        Product(String price) {
            this.price = new BigDecimal(price);
        }
    }

    @SuppressWarnings("UnusedVariable")
    private static final class Cart implements Serializable {
        private final List<Product> items = new ArrayList<>();
        private final Map<String, Integer> counts = new HashMap<>();
        private Object owner = "ann";

        Cart(String... prices) {
            for (String price : prices) {
                items.add(new Product(price));
            }
        }
    }

    private static List<String> differences(Object expected, Object actual) {
        return Likeness.of("cart", expected).differences(Likeness.of("cart", actual)).stream()
                .map(each -> each.path() + ": " + each.expected() + ", " + each.actual())
                .toList();
    }

    @Test
    void equalObjectsHaveNoDifference() {
        assertEquals(List.of(), differences(new Cart("9.95", "1"), new Cart("9.95", "1")));
        assertEquals(List.of(), differences("text", "text"));
        assertEquals(List.of(), differences(Optional.of("tea"), Optional.of("tea")));
        assertEquals(List.of(), differences(new int[] {1, 2}, new int[] {1, 2}));
        assertEquals(List.of(), differences(new Object(), new Object()));
    }

    /** As of another provider, after it was restored. */
    private static final class OtherKey implements SecretKey {
        private static final long serialVersionUID = 1L;

        private final String algorithm;
        private final byte[] encoding;

        OtherKey(String algorithm, int... encoding) {
            this.algorithm = algorithm;
            this.encoding = new byte[] {(byte) encoding[0], (byte) encoding[1]};
        }

        @Override
        public String getAlgorithm() {
            return algorithm;
        }

        @Override
        public String getFormat() {
            return "RAW";
        }

        @Override
        public byte[] getEncoded() {
            return encoding.clone();
        }
    }

    @Test
    void aKeyIsWhatItsEncodingIsWhateverItsClass() {
        SecretKey key = new SecretKeySpec(new byte[] {1, 2}, "AES");
        assertEquals(List.of(), differences(key, new OtherKey("AES", 1, 2)));
        assertEquals(1, differences(key, new OtherKey("AES", 1, 3)).size());
        assertEquals(1, differences(key, new OtherKey("DES", 1, 2)).size());
    }

    @Test
    void aDifferenceHasThePathToItsPlace() {
        Cart expected = new Cart("9.95", "1", "2");
        Cart actual = new Cart("9.95", "1", "3");
        expected.counts.put("tea", 1);
        actual.counts.put("tea", 2);
        assertEquals(
                List.of("cart.counts[\"tea\"]: 1, 2", "cart.items[2].price: 2, 3"),
                sorted(differences(expected, actual)));
        Difference first = Likeness.of("cart", expected).differences(Likeness.of("cart", actual)).stream()
                .filter(each -> each.path().contains("items"))
                .findFirst()
                .orElseThrow();
        assertEquals("cart.items[].price", first.pattern());
    }

    private static List<String> sorted(List<String> lines) {
        return lines.stream().sorted().toList();
    }

    @Test
    void whatIsLackingIsNothing() {
        assertEquals(
                List.of("cart.items[1]: an object of " + Product.class.getTypeName() + ", nothing"),
                differences(new Cart("1", "2"), new Cart("1")));
        assertEquals(List.of("cart.value: nothing, 1"), differences(Optional.empty(), Optional.of(1)));
    }

    @Test
    void aTransientFieldIsMarked() {
        Product lost = new Product("1");
        lost.tags = null;
        List<Difference> differences = Likeness.of("cart", new Product("1")).differences(Likeness.of("cart", lost));
        assertEquals(1, differences.size(), differences::toString);
        assertTrue(differences.get(0).inTransient());
        assertEquals("cart.tags", differences.get(0).path());
        assertEquals("null", differences.get(0).actual());
    }

    @Test
    void theOrderOfHashTablesDoesNotMatter() {
        Set<Object> one = new HashSet<>(Arrays.asList(new Product("1"), new Product("2"), "x"));
        Set<Object> other = new HashSet<>(Arrays.asList("x", new Product("2"), new Product("1")));
        assertEquals(List.of(), differences(one, other));
        assertEquals(
                List.of(), differences(new PriorityQueue<>(List.of(2, 3, 1)), new PriorityQueue<>(List.of(3, 2, 1))));
        Map<Product, Integer> counts = new LinkedHashMap<>();
        Map<Product, Integer> turned = new LinkedHashMap<>();
        counts.put(new Product("1"), 1);
        counts.put(new Product("2"), 2);
        turned.put(new Product("2"), 2);
        turned.put(new Product("1"), 1);
        assertEquals(List.of(), differences(counts, turned));
    }

    @Test
    void classesOfTheJdkForOneThingAreAlike() {
        assertEquals(List.of(), differences(new ArrayList<>(List.of("a", "b")), Arrays.asList("a", "b")));
        assertEquals(List.of("cart: 1, 2"), differences(new AtomicInteger(1), new AtomicInteger(2)));
        assertEquals(
                List.of("cart.value: \"a\", \"b\""),
                differences(new AtomicReference<>("a"), new AtomicReference<>("b")));
    }

    @Test
    void anotherClassIsADifference() {
        Cart expected = new Cart();
        Cart actual = new Cart();
        expected.owner = new Product("1");
        actual.owner = new Cart();
        assertEquals(
                List.of("cart.owner: an object of " + Product.class.getTypeName() + ", an object of "
                        + Cart.class.getTypeName()),
                differences(expected, actual));
    }

    @Test
    void cyclesAreFollowedOnce() {
        Cart expected = new Cart("1");
        Cart actual = new Cart("2");
        expected.owner = expected;
        actual.owner = actual;
        assertEquals(List.of("cart.items[0].price: 1, 2"), differences(expected, actual));
    }

    @Test
    void longTextsAreShownFromTheirDifferenceOn() {
        String begin = "x".repeat(100);
        List<String> differences = differences(begin + "one", begin + "two");
        assertEquals(1, differences.size());
        assertTrue(differences.get(0).contains("one\""), differences::toString);
        assertTrue(differences.get(0).contains("two\""), differences::toString);
    }

    @Test
    void whatChangesLaterIsNotSeen() {
        Cart cart = new Cart("1");
        Likeness before = Likeness.of("cart", cart);
        cart.items.clear();
        assertEquals(List.of(), before.differences(Likeness.of("cart", new Cart("1"))));
    }
}
