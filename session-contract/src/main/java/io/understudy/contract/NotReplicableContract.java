package io.understudy.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.Setting;
import io.understudy.contract.FailingAttributeContract.Failure;
import io.understudy.metrics.Counter;
import io.understudy.testkit.Browser;
import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.HttpSessionBindingEvent;
import jakarta.servlet.http.HttpSessionBindingListener;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * With {@code onNotReplicable = fail} an attribute that can't be replicated is refused when it is set: {@code setAttribute}
 * throws {@link IllegalArgumentException} with the reason (Jakarta Servlet 6, section 7.7.2), and all is as it was before.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class NotReplicableContract {

    private static final int MAX_ATTRIBUTE = 20_000;
    private static final int MAX_SESSION = 30_000;

    /** One that fits into a session once, not twice. */
    private static final int LARGE = 16_000;

    private static final class Plain {}

    private static final class Other {}

    /** Is told of what becomes of it, and holds what JDK serialization refuses. */
    private record Holder(Plain plain, Other other) implements Serializable, HttpSessionBindingListener {

        static Holder make() {
            return new Holder(new Plain(), new Other());
        }

        @Override
        public void valueBound(HttpSessionBindingEvent event) {
            Events.tell(event.getSession(), "bound what was refused");
        }
    }

    private record Filtered(int number) implements Serializable {}

    /** What one call of {@code setAttribute} did. */
    private record Result(
            @Nullable String refusal,
            List<String> events,
            @Nullable Object now) {}

    private final Tasks tasks = new Tasks();
    private @Nullable Servers servers;

    protected abstract ContractContainer container();

    @BeforeAll
    void start() throws Exception {
        servers = new Servers(
                container(),
                tasks,
                2,
                Map.of(
                        Setting.ON_NOT_REPLICABLE,
                        "fail",
                        Setting.MAX_ATTRIBUTE_BYTES,
                        String.valueOf(MAX_ATTRIBUTE),
                        Setting.MAX_SESSION_BYTES,
                        String.valueOf(MAX_SESSION),
                        Setting.ATTRIBUTE_FILTER,
                        "!" + Filtered.class.getName()));
    }

    @AfterAll
    void close() {
        started().close();
    }

    private Servers started() {
        return Objects.requireNonNull(servers);
    }

    private static @Nullable String set(HttpSession session, String name, Object value) {
        try {
            session.setAttribute(name, value);
            return null;
        } catch (IllegalArgumentException e) {
            return e.getMessage();
        }
    }

    /** Sets an attribute that has another value before. */
    private Result replace(Browser browser, Object value) {
        started().ask(browser, 0, request -> {
            request.getSession().setAttribute("a", "old");
            return true;
        });
        return started().ask(browser, 0, request -> {
            HttpSession session = request.getSession(false);
            int before = Events.of(session.getId()).size();
            String refusal = set(session, "a", value);
            List<String> events = Events.of(session.getId());
            return new Result(refusal, events.subList(before, events.size()), session.getAttribute("a"));
        });
    }

    private long refused() {
        return started().cluster().node(0).metrics().value(Counter.ATTRIBUTES_REFUSED);
    }

    private long kept() {
        return started().cluster().node(0).metrics().value(Counter.ATTRIBUTES_NOT_REPLICATED);
    }

    private void refuses(Object value, String... reasons) {
        long refused = refused();
        long kept = kept();
        Browser browser = new Browser();
        Result result = replace(browser, value);
        String refusal = result.refusal();
        assertNotNull(refusal, () -> value.getClass() + " was set");
        assertTrue(
                refusal.startsWith("attribute 'a' of class " + value.getClass().getName()), refusal);
        assertTrue(refusal.contains("'onNotReplicable' is 'fail'"), refusal);
        for (String reason : reasons) {
            assertTrue(refusal.contains(reason), () -> reason + " in: " + refusal);
        }
        assertEquals("old", result.now());
        assertEquals(List.of(), result.events(), "nobody is told of a value that is not set");
        for (int node : new int[] {1, 0}) {
            assertEquals(
                    "old",
                    started()
                            .ask(
                                    browser,
                                    node,
                                    request -> request.getSession(false).getAttribute("a")));
        }
        assertEquals(refused + 1, refused());
        assertEquals(kept, kept(), "the commit had nothing to keep");
    }

    @Test
    void allClassesThatAreNotSerializableAreNamed() {
        refuses(
                Holder.make(),
                Plain.class.getName() + " does not implement java.io.Serializable",
                Other.class.getName() + " does not implement java.io.Serializable");
        refuses(new Plain(), Plain.class.getName() + " does not implement java.io.Serializable");
    }

    @Test
    void theFilterIsNamedThatRefusesAClass() {
        refuses(new ArrayList<>(List.of(new Filtered(1))), Filtered.class.getName(), "attributeFilter");
    }

    @Test
    void aValueThatIsTooLargeIsRefused() {
        refuses(new byte[MAX_ATTRIBUTE + 1], "maxAttributeBytes = " + MAX_ATTRIBUTE);
    }

    @ParameterizedTest
    @EnumSource(Failure.class)
    void aValueWhoseEncodingFailsIsRefused(Failure failure) {
        refuses(FailingAttributeContract.failing(failure));
    }

    @Test
    void whatMakesTheSessionTooLargeIsRefused() {
        Browser browser = new Browser();
        String inOneRequest = started().ask(browser, 0, request -> {
            assertNull(set(request.getSession(), "first", new byte[LARGE]));
            String refusal = set(request.getSession(), "second", new byte[LARGE]);
            assertNull(request.getSession().getAttribute("second"));
            assertNull(set(request.getSession(), "first", new byte[LARGE]), "what is replaced does not count");
            return String.valueOf(refusal);
        });
        assertTrue(inOneRequest.contains("maxSessionBytes = " + MAX_SESSION), inOneRequest);
        String inAnother = started()
                .ask(browser, 1, request -> String.valueOf(set(request.getSession(), "second", new byte[LARGE])));
        assertTrue(inAnother.contains("maxSessionBytes = " + MAX_SESSION), inAnother);
        assertNull(started()
                .ask(browser, 0, request -> {
                    request.getSession().removeAttribute("first");
                    return new Result(set(request.getSession(), "second", new byte[LARGE]), List.of(), null);
                })
                .refusal());
        assertEquals(
                List.of("second"),
                started()
                        .ask(
                                browser,
                                1,
                                request -> Collections.list(
                                        request.getSession(false).getAttributeNames())));
    }

    @Test
    void aNameThatCantTravelIsRefused() {
        String refusal = started()
                .ask(new Browser(), 0, request -> String.valueOf(set(request.getSession(), "a\uD83D", "value")));
        assertTrue(refusal.contains("in its name"), refusal);
    }

    @Test
    void whatCanBeReplicatedIsSetAndBoundOnce() {
        Browser browser = new Browser();
        Result result = replace(browser, new Bound("v"));
        assertNull(result.refusal());
        assertEquals(
                List.of("bound v"),
                result.events().stream()
                        .filter(event -> event.contains("bound"))
                        .toList());
        assertEquals(
                new Bound("v"),
                started().ask(browser, 1, request -> request.getSession(false).getAttribute("a")));
        assertNull(replace(browser, 5).refusal());
        assertNull(started()
                .ask(browser, 0, request -> {
                    request.getSession().setAttribute("a", null);
                    return new Result(null, List.of(), request.getSession().getAttribute("a"));
                })
                .now());
    }

    /** It lets go of what can't be sent when it is told that it is about to be. */
    @Test
    void whatIsToldOfItsPassivationIsJudgedAsItIsThen() {
        Browser browser = new Browser();
        String set = started().ask(browser, 0, request -> {
            HttpSession session = request.getSession();
            String refusal = set(session, "a", new Opened("value"));
            // In the request: its last commit, which may still run when the client has the answer, closes the value,
            // too.
            return refusal + ", " + ((Opened) session.getAttribute("a")).seen();
        });
        assertEquals("null, open 0", set);
        String seen = started()
                .ask(browser, 1, request -> ((Opened) request.getSession(false).getAttribute("a")).seen());
        assertEquals("open 0", seen);
    }

    @Test
    void aSessionThatIsOverSaysSoFirst() {
        Class<?> thrown = started().ask(new Browser(), 0, request -> {
            HttpSession session = request.getSession();
            session.invalidate();
            try {
                session.setAttribute("a", new Plain());
                return Result.class;
            } catch (RuntimeException e) {
                return e.getClass();
            }
        });
        assertEquals(IllegalStateException.class, thrown);
    }
}
