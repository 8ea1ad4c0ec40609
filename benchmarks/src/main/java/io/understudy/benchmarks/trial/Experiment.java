package io.understudy.benchmarks.trial;

import java.time.Duration;
import java.util.Locale;

/**
 * One experiment as the command line knows it.
 *
 * @param name what it is asked for by
 * @param judged what most of its demands are about
 * @param description what it shows, in one line
 * @param smallLimit after this it is ended, at scale small
 * @param wholeLimit after this it is ended, at scale whole; below 60 minutes
 * @param procedure what it does
 */
public record Experiment(
        String name, Judged judged, String description, Duration smallLimit, Duration wholeLimit, Procedure procedure) {

    /** What most of an experiment's demands are about. */
    public enum Judged {
        /** Whether promises hold. Each change has to pass these experiments at scale small. */
        CORRECTNESS,
        /** Speed and memory, which only an idle machine can judge. */
        SPEED;

        /** As it is written in a command. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** What an experiment does. */
    @FunctionalInterface
    public interface Procedure {
        /**
         * Runs the rounds that the trial does not have yet, and reports figures and demands.
         *
         * @throws Exception if the experiment could not be done; that is an error, not an unmet demand
         */
        void run(Trial trial) throws Exception;
    }

    public Duration limit(Scale scale) {
        return scale == Scale.SMALL ? smallLimit : wholeLimit;
    }
}
