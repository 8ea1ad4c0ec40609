package io.understudy.testkit.netns;

import io.understudy.testkit.Await;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Short commands of the operating system. */
final class Shell {

    private static final long LIMIT_SECONDS = Await.LIMIT.toSeconds();

    private Shell() {}

    static String run(String... command) {
        return run(List.of(command));
    }

    static String run(List<String> command) {
        return run("", command);
    }

    /**
     * Runs a command and gives back what it printed.
     *
     * @throws IllegalStateException if it fails, with what it printed
     */
    static String run(String input, List<String> command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().write(input.getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException(command + " did not end within " + LIMIT_SECONDS + " s");
            }
            if (process.exitValue() != 0) {
                throw new IllegalStateException(
                        command + " ended with " + process.exitValue() + ": " + output.trim() + " " + input);
            }
            return output;
        } catch (IOException e) {
            throw new IllegalStateException(command + " could not be run: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(command + " was interrupted", e);
        }
    }

    /** The same for a command that may fail. */
    static String attempt(String... command) {
        try {
            return run(command);
        } catch (IllegalStateException e) {
            return "";
        }
    }
}
