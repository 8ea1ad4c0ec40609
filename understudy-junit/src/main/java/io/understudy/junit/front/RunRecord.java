package io.understudy.junit.front;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.understudy.junit.comparison.Exchange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The requests of one run, in the order of their begin. Threads: any; guarded by this. */
public final class RunRecord {

    @GuardedBy("this")
    private final List<Exchange> exchanges = new ArrayList<>();

    synchronized void add(Exchange exchange) {
        exchanges.add(exchange);
    }

    public synchronized List<Exchange> exchanges() {
        return exchanges.stream()
                .sorted(Comparator.comparingInt(Exchange::number))
                .toList();
    }
}
