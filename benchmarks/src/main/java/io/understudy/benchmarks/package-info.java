/** The command that runs experiments: what the replication core promises, measured on clusters of JVMs with faults. */
@NullMarked
package io.understudy.benchmarks;

import org.jspecify.annotations.NullMarked;
