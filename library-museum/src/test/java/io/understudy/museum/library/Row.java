package io.understudy.museum.library;

import java.util.List;
import java.util.concurrent.Callable;

/**
 * A library.
 *
 * @param library its name
 * @param artifacts its artifacts in {@code pom.xml}; the first has the version that the design page shows
 * @param start what an application does before it is ready for requests
 */
record Row(String library, List<String> artifacts, List<Sample> samples, Callable<?> start) {

    static Row of(String library, List<String> artifacts, Sample... samples) {
        return new Row(library, artifacts, List.of(samples), () -> true);
    }

    static Row of(String library, String artifact, Sample... samples) {
        return of(library, List.of(artifact), samples);
    }

    /** The same with an application that has to be started. */
    Row after(Callable<?> begin) {
        return new Row(library, artifacts, samples, begin);
    }
}
