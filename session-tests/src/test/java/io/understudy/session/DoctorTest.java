package io.understudy.session;

import static io.understudy.testkit.SessionRequest.find;
import static io.understudy.testkit.SessionRequest.put;
import static io.understudy.testkit.SessionRequest.use;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.NodeFigures;
import io.understudy.Understudy;
import io.understudy.config.Setting;
import io.understudy.doctor.Shop.Address;
import io.understudy.doctor.Shop.Cart;
import io.understudy.doctor.Shop.Forgetful;
import io.understudy.doctor.Shop.Item;
import io.understudy.doctor.Shop.Line;
import io.understudy.doctor.Shop.Lock;
import io.understudy.doctor.Shop.Money;
import io.understudy.doctor.Shop.Node;
import io.understudy.doctor.findings.Finding;
import io.understudy.doctor.findings.Kind;
import io.understudy.metrics.Counter;
import io.understudy.replica.StampedBytes;
import io.understudy.session.Commit.Outcome;
import io.understudy.testkit.Await;
import io.understudy.testkit.Beside;
import io.understudy.testkit.LogLines;
import io.understudy.testkit.faults.Cluster;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Sessions whose requests the doctor follows. */
@Tag("cluster")
class DoctorTest {

    private static final Map<Setting, String> ON = Map.of(Setting.SESSION_DOCTOR, "log");

    private Cluster cluster;

    private LiveSession start(int nodes, Map<Setting, String> settings) {
        cluster = Cluster.of(nodes, settings);
        return cluster.sessions(0).create("a", 1800);
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    private List<String> findings() {
        return cluster.node(0).findings().stream()
                .map(finding -> finding.kind() + " " + finding.path() + ": " + finding.text())
                .toList();
    }

    @Test
    void whatARequestSetIsExaminedAtItsEndAndLoggedOnce() throws Exception {
        try (LogLines log = new LogLines("io.understudy.doctor")) {
            LiveSession session = start(1, ON);
            Cart cart = Cart.of(4);
            cart.items.get(3).extra = new Forgetful("f");
            put(session, "cart", cart);
            put(session, "cart", cart);
            use(session, () -> session.attributes().get("cart"));
            assertEquals(List.of("DIFFERENT cart.items[3].extra.price: was 9.95, comes back as null"), findings());
            List<String> logged = log.with();
            assertEquals(1, logged.size(), logged::toString);
            Finding price = cluster.node(0).findings().get(0);
            assertEquals("WARNING " + price.application() + " - session doctor: " + price, logged.get(0));
            assertEquals(List.of(price.application() + " - " + price), jmx("Findings"));
        }
    }

    private List<?> jmx(String attribute) throws Exception {
        ObjectName name = new ObjectName("io.understudy:type=Node,cluster="
                + ObjectName.quote(cluster.node(0).config().clusterName()) + ",node="
                + ObjectName.quote(cluster.node(0).config().nodeName()));
        return List.of((Object[]) ManagementFactory.getPlatformMBeanServer().getAttribute(name, attribute));
    }

    @Test
    void offNothingIsExamined() {
        LiveSession session = start(1, Map.of());
        put(session, "cart", new Forgetful("f"));
        assertEquals(List.of(), findings());
        assertEquals(Map.of(), NodeFigures.attributeSizes(cluster.node(0)));
    }

    @Test
    void oneApplicationMayHaveItAndAnotherNot() {
        start(1, Map.of());
        Understudy node = cluster.node(0);
        ReplicatedSessions other = node.join(
                "/other",
                getClass()::getClassLoader,
                node.config().application().with("sessionDoctor", "log"));
        put(other.create("b", 1800), "x", new Forgetful("f"));
        put(find(cluster.sessions(0), "a"), "y", new Forgetful("f"));
        assertEquals(
                Set.of("x"),
                Set.copyOf(node.findings().stream().map(Finding::attribute).toList()));
        assertTrue(node.findings().get(0).application().startsWith("/other@"), findings()::toString);
        other.close();
        assertEquals(List.of(), findings(), "it begins anew when it is redeployed");
    }

    @Test
    void whatStaysOnTheNodeIsNamedByItsPathAndTheRequestGoesOn() {
        LiveSession session = start(2, ON);
        Cart cart = Cart.of(2);
        cart.items.get(1).extra = new Line(new Item("i"), 1);
        ((Line) cart.items.get(1).extra).item().extra = new Lock();
        Outcome outcome = use(session, () -> {
            session.attributes().put("cart", cart);
            session.attributes().put("user", "ada");
        });
        assertEquals(Outcome.ACKNOWLEDGED, outcome);
        assertEquals(
                List.of("NOT_ENCODED cart.items[1].extra.item.extra: does not implement java.io.Serializable"),
                findings());
        assertEquals("ada", find(cluster.sessions(1), "a").attributes().get("user"));
    }

    @Test
    void whatTwoAttributesShareIsNamedByBothPaths() {
        LiveSession session = start(1, ON);
        Address address = new Address("Bern");
        Cart cart = Cart.of(1);
        cart.shipTo = address;
        Cart user = Cart.of(0);
        user.notes.put("home", address);
        put(session, "cart", cart);
        assertEquals(List.of(), findings());
        put(session, "user", user); // In another request: the other attribute is still that object here.
        assertEquals(
                List.of("SHARED user.notes[\"home\"]: and cart.shipTo are one object here, two after replication"),
                findings());
        put(session, "user", user);
        assertEquals(1, findings().size());
    }

    @Test
    void whatNeverChangesMayBeShared() {
        LiveSession session = start(1, ON);
        Money money = new Money(995, "CHF");
        List<Object> values = List.of("text", 1000L, Locale.US, TimeUnit.DAYS, money, List.of(money), List.of());
        for (Object value : values) {
            use(session, () -> {
                session.attributes().put("one", new ArrayList<>(List.of(value)));
                session.attributes().put("two", new ArrayList<>(List.of(value)));
            });
        }
        assertEquals(List.of(), findings());
        List<String> shared = new ArrayList<>();
        use(session, () -> {
            session.attributes().put("one", new ArrayList<>(List.of(List.of(shared))));
            session.attributes().put("two", new ArrayList<>(List.of(List.of(shared))));
        });
        assertEquals(List.of("SHARED two[0][0]: and one[0][0] are one object here, two after replication"), findings());
    }

    @Test
    void whatWasReadOnAnotherNodeIsNotSharedThereAndIsExaminedThere() {
        LiveSession session = start(2, ON);
        Address address = new Address("Bern");
        use(session, () -> {
            session.attributes().put("one", address);
            session.attributes().put("two", address);
        });
        LiveSession there = find(cluster.sessions(1), "a");
        use(there, () -> {
            ((Address) Objects.requireNonNull(there.attributes().get("one"))).city = "Biel";
            there.attributes().get("two");
        });
        assertEquals(List.of(), cluster.node(1).findings());
        assertEquals(1, findings().size());
        assertTrue(NodeFigures.attributeSizes(cluster.node(1)).containsKey("one"));
    }

    @Test
    void aChangeThatNothingWillSendIsNamed() {
        LiveSession session = start(1, ON);
        Cart cart = Cart.of(2);
        put(session, "cart", cart);
        put(session, "user", "ada");
        assertEquals(List.of(), findings());
        cart.items.get(1).name = "changed behind the session's back";
        put(session, "user", "eve");
        assertEquals(
                List.of("UNNOTICED cart.items[1].name: was changed, but its attribute neither read nor set"),
                findings());
    }

    @Test
    void aChangeAfterTheLastCommitIsNamed() {
        LiveSession session = start(1, ON);
        long ticket = session.enter();
        Cart cart = Cart.of(1);
        session.attributes().put("cart", cart);
        session.commit().await();
        cart.items.add(new Item("late"));
        session.exit(ticket);
        assertEquals(List.of("UNNOTICED cart.items: was changed after the request's last commit"), findings());
    }

    @Test
    void aChangeThatARequestBesideItIsAboutToCommitIsNoFinding() {
        LiveSession session = start(1, ON);
        Cart cart = Cart.of(1);
        put(session, "cart", cart);
        long ticket = session.enter();
        ((Cart) Objects.requireNonNull(session.attributes(ticket).get("cart"))).items.add(new Item("new"));
        put(session, "user", "ada");
        session.commit().await();
        session.exit(ticket);
        assertEquals(List.of(), findings());
    }

    @Test
    void whatIsReplicatedIsTheSameWithItAndWithout() {
        Map<String, String> off = replicated(Map.of());
        cluster.close();
        Map<String, String> on = replicated(ON);
        assertEquals(off, on);
        assertTrue(findings().size() > 3, findings()::toString);
    }

    /** Changes and bytes that a series of requests sends, and what the other node holds then. */
    private Map<String, String> replicated(Map<Setting, String> settings) {
        LiveSession session = start(2, settings);
        Cart cart = Cart.of(10);
        cart.items.get(3).extra = new Forgetful("f");
        Address shared = new Address("Bern");
        cart.shipTo = shared;
        Cart broken = Cart.of(1);
        broken.items.get(0).extra = new Lock();
        Node deep = Node.chain(10_000);
        for (int i = 0; i < 5; i++) {
            int round = i;
            use(session, () -> {
                session.attributes().put("address", shared);
                session.attributes().put("broken", broken);
                session.attributes().put("deep", deep);
                session.attributes().put("numbers", new ArrayList<>(List.of(1, round)));
                session.attributes().put("cart", cart);
            });
            use(session, () -> cart.items.add(new Item("unseen")));
            use(
                    session,
                    () -> ((Cart) Objects.requireNonNull(session.attributes().get("cart")))
                            .items.add(new Item("in place")));
            use(session, () -> session.attributes().get("cart"));
            use(session, () -> session.attributes().remove("numbers"));
        }
        Map<String, String> seen = new TreeMap<>();
        for (Counter counter : List.of(
                Counter.DELTAS_SENT,
                Counter.ATTRIBUTES_CHANGED_IN_PLACE,
                Counter.ATTRIBUTES_NOT_REPLICATED,
                Counter.ATTRIBUTES_KEPT_CHANGING)) {
            seen.put(counter.key(), String.valueOf(cluster.node(0).metrics().value(counter)));
        }
        Objects.requireNonNull(find(cluster.sessions(1), "a").replica())
                .attributes()
                .forEach((name, value) -> seen.put("attribute " + name, hex(value)));
        return seen;
    }

    private static String hex(StampedBytes value) {
        return value.bytes() == null ? "none" : java.util.HexFormat.of().formatHex(value.bytes());
    }

    @Test
    void theLastOfTheRequestsThatOverlapIsTheOneAfterWhichItIsJudged() {
        LiveSession session = start(1, ON);
        long other = session.enter();
        put(session, "cart", new Forgetful("f"));
        assertEquals(List.of(), findings());
        assertEquals(Forgetful.class, session.attributes().get("cart").getClass());
        session.exit(other);
        assertEquals(1, findings().size(), findings()::toString);
    }

    @Test
    void manyRequestsAtOnceThatChangeWhatIsExaminedAreNotDisturbed() {
        LiveSession session = start(2, ON);
        put(session, "cart", Cart.of(50));
        List<CompletableFuture<Void>> requests = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            requests.add(Beside.run(() -> {
                for (int n = 0; n < 100; n++) {
                    use(session, () -> {
                        Cart cart = (Cart)
                                Objects.requireNonNull(session.attributes().get("cart"));
                        synchronized (cart) {
                            cart.items.remove(0);
                            cart.items.add(new Item("new"));
                        }
                    });
                }
            }));
        }
        requests.forEach(CompletableFuture::join);
        use(session, () -> session.attributes().get("cart"));
        Await.until(
                Await.LIMIT,
                () -> "not equal",
                () -> ((Cart) Objects.requireNonNull(find(cluster.sessions(1), "a")
                                        .attributes()
                                        .get("cart")))
                                .items.size()
                        == 50);
        assertTrue(
                cluster.node(0).findings().stream().allMatch(finding -> finding.kind() == Kind.UNNOTICED),
                findings()::toString);
    }
}
