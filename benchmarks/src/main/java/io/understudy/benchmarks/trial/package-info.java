/** One run of an experiment: its rounds, which a later run goes on with, and its demands. */
@NullMarked
package io.understudy.benchmarks.trial;

import org.jspecify.annotations.NullMarked;
