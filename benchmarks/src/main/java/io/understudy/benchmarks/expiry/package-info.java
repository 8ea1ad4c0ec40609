/** Sessions end in time, whatever the clocks of the members show, and each end causes one event. */
@NullMarked
package io.understudy.benchmarks.expiry;

import org.jspecify.annotations.NullMarked;
