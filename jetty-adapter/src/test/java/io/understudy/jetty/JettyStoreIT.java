package io.understudy.jetty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.NodeStart;
import io.understudy.Understudy;
import io.understudy.config.UnderstudyConfig;
import io.understudy.session.LiveSession;
import io.understudy.session.ReplicatedSessions;
import io.understudy.testkit.Await;
import io.understudy.testkit.LoopbackCluster;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.eclipse.jetty.session.AbstractSessionDataStoreTest;
import org.eclipse.jetty.session.SessionData;
import org.eclipse.jetty.session.SessionDataStore;
import org.eclipse.jetty.session.SessionDataStoreFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Jetty's own tests of session data stores. Stored is what another node has. Where our store promises something else, the test is
 * replaced by one of that.
 */
@Tag("container")
final class JettyStoreIT extends AbstractSessionDataStoreTest {

    private static final Duration LIMIT = Await.LIMIT;
    private static final String APPLICATION = "/";

    private Understudy node;
    private Understudy other;
    private ReplicatedSessions there;

    JettyStoreIT() throws Exception {}

    @BeforeEach
    void startNodes() {
        List<UnderstudyConfig> configs = LoopbackCluster.configs(2);
        node = NodeStart.start(configs.get(0));
        other = NodeStart.start(configs.get(1));
        there = other.join(APPLICATION, () -> _contextClassLoader);
    }

    @AfterEach
    void closeNodes() {
        other.close();
        node.close();
    }

    @Override
    public SessionDataStoreFactory createSessionDataStoreFactory() {
        return new UnderstudySessionFactory(node);
    }

    private SessionDataStore started() throws Exception {
        setUp();
        _server.start();
        Await.until(LIMIT, other::readiness, () -> other.readiness().ready());
        return store();
    }

    private SessionDataStore store() {
        return _sessionManager.getSessionCache().getSessionDataStore();
    }

    private SessionDataStore restarted() throws Exception {
        _server.stop();
        _server.start();
        return store();
    }

    @Override
    public void persistSession(SessionData data) throws Exception {
        store().store(data.getId(), data);
    }

    @Override
    public void persistUnreadableSession(SessionData data) {
        throw new UnsupportedOperationException("replaced: aValueThatCanNotBeReadIsAbsent");
    }

    /** The store does not wait: responses do. */
    @Override
    public boolean checkSessionExists(SessionData data) {
        boolean exists = live(data).valid();
        Await.until(LIMIT, () -> "not " + exists, () -> there.contains(data.getId()) == exists);
        return exists;
    }

    /** Values of classes that have no {@code equals} are compared by their classes. */
    @Override
    public boolean checkSessionPersisted(SessionData data) {
        Map<String, String> expected = described(data.getAllAttributes());
        Await.until(LIMIT, () -> "not " + expected, () -> {
            LiveSession replica = there.find(data.getId());
            return replica != null
                    && expected.equals(described(replica.attributes()))
                    && UnderstudySessionData.seconds(data.getMaxInactiveMs()) == replica.maxInactiveSeconds();
        });
        return true;
    }

    private static LiveSession live(SessionData data) {
        return ((UnderstudySessionData) data).live();
    }

    private static Map<String, String> described(Map<String, Object> attributes) {
        return attributes.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, attribute -> describe(attribute.getValue()), (a, b) -> a, TreeMap::new));
    }

    private static String describe(Object value) {
        if (value instanceof List<?> list) {
            return list.stream().map(JettyStoreIT::describe).toList().toString();
        }
        if (Proxy.isProxyClass(value.getClass())) {
            return "proxy of " + List.of(value.getClass().getInterfaces());
        }
        return value instanceof String text ? text : value.getClass().toString();
    }

    /** Times are those of the cluster, not what a caller says. */
    @Test
    @Override
    public void testLoadSessionExists() throws Exception {
        long before = System.currentTimeMillis();
        SessionData data = started().newSessionData("a", 100, 200, 199, 60_000);
        persistSession(data);
        SessionData loaded = restarted().load("a");
        assertEquals("a", loaded.getId());
        assertTrue(loaded.getCreated() >= before - 1 && loaded.getCreated() <= System.currentTimeMillis());
        assertTrue(loaded.getLastAccessed() >= before - 1 && loaded.getLastAccessed() <= System.currentTimeMillis());
        assertEquals(60_000, loaded.getMaxInactiveMs());
    }

    /** A session is over when all members have agreed that it is: until then it can be loaded, to be ended. */
    @Test
    @Override
    public void testLoadSessionExpired() throws Exception {
        SessionData data = started().newSessionData("a", 0, 0, 0, 1);
        persistSession(data);
        Await.until(LIMIT, () -> "not overdue", live(data)::overdue);
        assertNotNull(restarted().load("a"));
    }

    @Test
    @Override
    public void testExistsIsExpired() throws Exception {
        SessionData data = started().newSessionData("a", 0, 0, 0, 1);
        persistSession(data);
        Await.until(LIMIT, () -> "not overdue", live(data)::overdue);
        assertTrue(store().exists("a"));
    }

    /** One value that can't be read does not take the rest of the session with it. */
    @Test
    @Override
    public void testLoadSessionFails() throws Exception {
        SessionDataStore store = started();
        SessionData data = store.newSessionData("a", 0, 0, 0, -1);
        data.setAttribute(
                "foo", _contextClassLoader.loadClass("Foo").getConstructor().newInstance());
        data.setAttribute("name", "ann");
        persistSession(data);
        assertTrue(checkSessionPersisted(data));
        try (ReplicatedSessions elsewhere = rejoined(ClassLoader.getPlatformClassLoader())) {
            LiveSession replica = elsewhere.find("a");
            assertNotNull(replica);
            assertEquals("ann", replica.attributes().get("name"));
            assertNull(replica.attributes().get("foo"));
        }
    }

    private ReplicatedSessions rejoined(ClassLoader loader) {
        there.close();
        there = other.join(APPLICATION, () -> loader);
        return there;
    }

    /** A session is its application's: there is no context to name. */
    @Test
    @Override
    public void testExistsDifferentContext() throws Exception {
        SessionDataStore store = started();
        try (ReplicatedSessions another = node.join("/other", () -> _contextClassLoader)) {
            another.create("a", 60).commit().await();
            assertTrue(another.contains("a"));
            assertFalse(store.exists("a"));
        }
    }

    private void nothingExpiresByTheStore() throws Exception {
        SessionDataStore store = started();
        persistSession(store.newSessionData("a", 100, 101, 101, 10));
        assertEquals(Set.of(), store.getExpired(Set.of("a", "b")));
    }

    /** The cluster says which sessions expire: the cache asks it, not the store. */
    @Test
    @Override
    public void testGetExpiredPersistedAndExpired() throws Exception {
        nothingExpiresByTheStore();
    }

    @Test
    @Override
    public void testGetExpiredNotPersisted() throws Exception {
        nothingExpiresByTheStore();
    }

    @Test
    @Override
    public void testGetExpiredPersistedAndExpiredOnly() throws Exception {
        nothingExpiresByTheStore();
    }

    @Test
    @Override
    public void testGetExpiredDifferentNode() throws Exception {
        nothingExpiresByTheStore();
    }

    /** No session is an orphan: each member knows all, and who has to end them. */
    @Test
    @Override
    public void testCleanOrphans() throws Exception {
        nothingExpiresByTheStore();
    }

    /** What changed is sent with the response, whatever the save period is. */
    private void eachChangeIsSent() throws Exception {
        SessionDataStore store = started();
        SessionData data = store.newSessionData("a", 0, 0, 0, -1);
        for (String value : List.of("first", "second")) {
            data.setAttribute("a", value);
            persistSession(data);
            assertTrue(checkSessionPersisted(data));
        }
    }

    @Test
    @Override
    public void testSavePeriodOnUpdate() throws Exception {
        eachChangeIsSent();
    }

    @Test
    @Override
    public void testSavePeriodOnCreate() throws Exception {
        eachChangeIsSent();
    }

    @Test
    @Override
    public void testSavePeriodDirtySession() throws Exception {
        eachChangeIsSent();
    }
}
