/** More sessions than a heap holds, a million of them, and sessions of crawlers: what they take and what they cost. */
@NullMarked
package io.understudy.benchmarks.memory;

import org.jspecify.annotations.NullMarked;
