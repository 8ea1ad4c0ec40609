package io.understudy.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

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
}
