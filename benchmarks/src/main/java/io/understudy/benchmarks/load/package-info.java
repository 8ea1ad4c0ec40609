/** Clients that use sessions on members in other processes, and a judge of what the members hold afterwards. */
@NullMarked
package io.understudy.benchmarks.load;

import org.jspecify.annotations.NullMarked;
