package io.understudy.demo.launcher.cluster;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** The two signals Java has no method for. */
enum Signal {
    STOP,
    CONT;

    /** How long sending may take, in seconds. */
    private static final long TIMEOUT_SECONDS = 5;

    /** Sends it to a child of this JVM. By the shell's own {@code kill}: small systems have no other. */
    void send(Process child) throws Refused {
        try {
            Process kill = new ProcessBuilder("/bin/sh", "-c", "kill -" + name() + " " + child.pid())
                    .redirectErrorStream(true)
                    .start();
            if (!kill.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS) || kill.exitValue() != 0) {
                throw new Refused("kill -" + name() + " " + child.pid() + " failed");
            }
        } catch (IOException e) {
            throw new Refused("can't send SIG" + name() + ": " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Refused("interrupted while sending SIG" + name());
        }
    }
}
