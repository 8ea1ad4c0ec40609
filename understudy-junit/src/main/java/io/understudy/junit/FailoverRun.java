package io.understudy.junit;

import io.understudy.junit.front.Front;
import io.understudy.junit.front.RunRecord;
import io.understudy.junit.sites.Site;
import org.jspecify.annotations.Nullable;

/** One run of a test, with its servers. Threads: one at a time. */
final class FailoverRun implements AutoCloseable {

    private final FailoverRuns runs;
    private final int number;
    private final FailoverServer server;
    private final RunRecord record;
    private final Front front;
    private final Site site;

    FailoverRun(FailoverRuns runs, int number, RunRecord record, Front front, Site site) {
        this.runs = runs;
        this.number = number;
        this.server = new FailoverServer(front.port(), site.contextPath());
        this.record = record;
        this.front = front;
        this.site = site;
    }

    /** For the test's client. */
    FailoverServer server() {
        return server;
    }

    /**
     * The test method has returned.
     *
     * @param failed why it did not pass; {@code null} if it did
     * @throws Throwable that, or what is not as it is on one node
     */
    void end(@Nullable Throwable failed) throws Throwable {
        front.finish();
        runs.end(number, record, site, failed);
    }

    @Override
    public void close() {
        try {
            front.close();
        } finally {
            runs.close(number, site);
        }
    }
}
