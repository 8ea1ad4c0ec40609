package io.understudy.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.function.Executable;

/** The cases of one subject, in order. */
final class Cases {

    /** Fails by what it throws. */
    @FunctionalInterface
    interface Case {
        void run(Visit visit) throws Exception;
    }

    private record Named(String name, Case body) {}

    private final List<Named> cases = new ArrayList<>();

    /** @param name what is promised, as a sentence */
    Cases add(String name, Case body) {
        cases.add(new Named(name, body));
        return this;
    }

    Stream<DynamicTest> on(Site site) {
        return cases.stream()
                .map(named -> DynamicTest.dynamicTest(named.name(), () -> {
                    try {
                        named.body().run(new Visit(site));
                    } finally {
                        site.tasks().clear();
                    }
                }));
    }

    /** The same for cases that mostly wait for time to pass: all run at once, each in a thread of its own. */
    Stream<DynamicTest> together(Site site) {
        List<DynamicTest> tests = cases.stream()
                .map(named -> DynamicTest.dynamicTest(named.name(), new Begun(named.body(), new Visit(site))))
                .toList();
        return tests.stream().onClose(() -> site.tasks().clear());
    }

    /** A case that runs already. */
    private static final class Begun implements Executable {

        private final FutureTask<Void> running;

        Begun(Case body, Visit visit) {
            this.running = new FutureTask<>(() -> {
                body.run(visit);
                return null;
            });
            Thread thread = new Thread(running, "case");
            thread.setDaemon(true);
            thread.start();
        }

        @Override
        public void execute() throws Throwable {
            try {
                running.get();
            } catch (ExecutionException e) {
                throw Objects.requireNonNullElse(e.getCause(), e);
            }
        }
    }
}
