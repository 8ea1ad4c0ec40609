/** How fast updates and requests are, and the first requests of a new node, each beside something to compare with. */
@NullMarked
package io.understudy.benchmarks.speed;

import org.jspecify.annotations.NullMarked;
