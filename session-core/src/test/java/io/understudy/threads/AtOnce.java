package io.understudy.threads;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.IntFunction;

/** Several threads that begin at one moment, so that they meet in what they do. */
public final class AtOnce {

    private AtOnce() {}

    /**
     * Runs a task in each of {@code threads} threads, and returns when all have ended.
     *
     * @param task gets the number of its thread, from 0
     * @return what the tasks returned, by number
     * @throws ExecutionException with what the first of them threw
     */
    public static <T> List<T> run(int threads, IntFunction<T> task) throws ExecutionException, InterruptedException {
        CountDownLatch begin = new CountDownLatch(1);
        List<FutureTask<T>> running = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            int number = i;
            running.add(beside(() -> {
                begin.await();
                return task.apply(number);
            }));
        }
        begin.countDown();
        List<T> results = new ArrayList<>();
        for (FutureTask<T> one : running) {
            results.add(one.get());
        }
        return results;
    }

    /** Runs a task in a thread of its own. */
    public static <T> FutureTask<T> beside(Callable<T> task) {
        FutureTask<T> running = new FutureTask<>(task);
        Thread thread = new Thread(running, "beside");
        thread.setDaemon(true);
        thread.start();
        return running;
    }
}
