package io.understudy.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.understudy.NodeFigures;
import io.understudy.config.Setting;
import io.understudy.testkit.Await;
import io.understudy.testkit.Browser;
import jakarta.servlet.http.HttpSession;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An attribute whose class fails when it is encoded, in any way, stays on its node. The others of the request are replicated, the
 * request is answered, the next ones too, and nothing of it is left.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class FailingAttributeContract {

    /** How the application's class fails. */
    enum Failure {
        NO_CLASS {
            @Override
            void happen() {
                throw new NoClassDefFoundError("org/example/Optional");
            }
        },
        INITIALIZER {
            @Override
            void happen() {
                throw new ExceptionInInitializerError("no such file");
            }
        },
        ASSERTION {
            @Override
            void happen() {
                throw new AssertionError("never here");
            }
        },
        MEMORY {
            @Override
            void happen() {
                throw new OutOfMemoryError("Java heap space");
            }
        },
        STACK {
            @Override
            void happen() {
                throw new StackOverflowError();
            }
        },
        OWN_ERROR {
            @Override
            void happen() {
                throw new Error("of a library");
            }
        },
        EXCEPTION {
            @Override
            void happen() {
                throw new IllegalStateException("closed");
            }
        };

        abstract void happen();
    }

    private record Healthy(int number) implements Serializable {}

    private static final class Failing implements Serializable {

        private static final long serialVersionUID = 1;

        private final Failure failure;

        Failing(Failure failure) {
            this.failure = failure;
        }

        private void writeObject(ObjectOutputStream out) {
            failure.happen();
        }
    }

    /** A value whose class fails so when it is encoded. */
    static Serializable failing(Failure failure) {
        return new Failing(failure);
    }

    /** Attributes beside the failing one, of the same request. */
    private static final int HEALTHY = 8;

    private static final Map<String, Long> NOTHING_LEFT = Map.of("requests_in_flight", 0L, "locks_held", 0L);

    private final Tasks tasks = new Tasks();
    private @Nullable Servers servers;

    protected abstract ContractContainer container();

    @BeforeAll
    void start() throws Exception {
        servers = new Servers(container(), tasks, 2, Map.of(Setting.SESSION_LOCK, "on", Setting.LOCK_TIMEOUT, "60s"));
    }

    @AfterAll
    void close() {
        started().close();
    }

    private Servers started() {
        return Objects.requireNonNull(servers);
    }

    private void check(Browser browser, Failure failure) {
        String begin = tasks.add((request, response) -> request.getSession().setAttribute("before", new Healthy(1)));
        String change = tasks.add((request, response) -> {
            request.getSession().setAttribute("failing", new Failing(failure));
            for (int i = 0; i < HEALTHY; i++) {
                request.getSession().setAttribute("healthy" + i, new Healthy(i));
            }
            response.getWriter().print("done");
        });
        String show = tasks.add((request, response) -> {
            HttpSession session = request.getSession(false);
            Healthy before = (Healthy) session.getAttribute("before");
            int seen = before.number();
            for (int i = 0; i < HEALTHY; i++) {
                Healthy healthy = (Healthy) session.getAttribute("healthy" + i);
                seen += healthy != null && healthy.number() == i ? 1 : 0;
            }
            response.getWriter().print(seen);
        });
        browser.get(started().server(0), begin);
        assertEquals("done", browser.get(started().server(0), change));
        assertEquals(String.valueOf(1 + HEALTHY), browser.get(started().server(1), show));
        assertEquals(String.valueOf(1 + HEALTHY), browser.get(started().server(0), show));
        for (int node = 0; node < 2; node++) {
            int at = node;
            Await.until(
                    Await.LIMIT, () -> figures(at), () -> figures(at).entrySet().containsAll(NOTHING_LEFT.entrySet()));
        }
    }

    private Map<String, Long> figures(int node) {
        return NodeFigures.of(started().cluster().node(node));
    }

    @ParameterizedTest
    @EnumSource(Failure.class)
    void keepsNoRequestFromItsAnswer(Failure failure) {
        check(new Browser(), failure);
    }

    /** A container's thread that ends with an Error answers nobody. */
    @ParameterizedTest
    @ValueSource(strings = {"NO_CLASS", "OWN_ERROR"})
    void keepsNoRequestFromItsAnswerOverHttp2(Failure failure) {
        check(new Browser().overHttp2(), failure);
    }
}
