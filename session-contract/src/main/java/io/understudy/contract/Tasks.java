package io.understudy.contract;

import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The tasks of the case that runs, by the path at which every node of this JVM runs them. */
final class Tasks {

    static final String PATH = "/task";

    private final AtomicInteger numbers = new AtomicInteger();
    private final ConcurrentMap<String, Task> byPath = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, Task.OfSocket> byMessage = new ConcurrentHashMap<>();

    /** The path of its page in the application. */
    String add(Task task) {
        return addAt("/" + numbers.incrementAndGet(), task);
    }

    /** The same, with what its path ends with. */
    String addAt(String end, Task task) {
        String path = PATH + end;
        byPath.put(path, task);
        return path;
    }

    Task get(String path) {
        Task task = byPath.get(path);
        if (task == null) {
            throw new IllegalStateException("no task at " + path + " in this case");
        }
        return task;
    }

    /** The message by which a web socket runs the task. */
    String addForSocket(Task.OfSocket task) {
        String message = "task " + numbers.incrementAndGet();
        byMessage.put(message, task);
        return message;
    }

    Task.OfSocket ofSocket(String message) {
        return Objects.requireNonNull(byMessage.get(message), message);
    }

    void clear() {
        byPath.clear();
        byMessage.clear();
    }
}
