package io.understudy.testkit;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** What is logged while it is open, each line behind its level. Threads: any. */
public final class LogLines extends Handler implements AutoCloseable {

    /** Held: a logger that nobody holds is forgotten, with its handlers. */
    private final Logger logger;

    private final List<String> lines = new CopyOnWriteArrayList<>();

    /** @param name of a logger, or of a package */
    public LogLines(String name) {
        logger = Logger.getLogger(name);
        logger.addHandler(this);
    }

    /** Those that hold all of these words, in their order. */
    public List<String> with(String... words) {
        return lines.stream()
                .filter(line -> List.of(words).stream().allMatch(line::contains))
                .toList();
    }

    @Override
    public void publish(LogRecord line) {
        lines.add(line.getLevel() + " " + new SimpleFormatter().formatMessage(line));
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
    }
}
