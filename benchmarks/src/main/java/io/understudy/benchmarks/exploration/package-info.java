/** Experiments that try everything: each schedule of events, a fault at each place of the code, any bytes. */
@NullMarked
package io.understudy.benchmarks.exploration;

import org.jspecify.annotations.NullMarked;
