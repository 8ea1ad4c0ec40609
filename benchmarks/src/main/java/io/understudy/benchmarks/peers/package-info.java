/** Understudy beside other products that replicate sessions in the same containers, and beside none. */
@NullMarked
package io.understudy.benchmarks.peers;

import org.jspecify.annotations.NullMarked;
