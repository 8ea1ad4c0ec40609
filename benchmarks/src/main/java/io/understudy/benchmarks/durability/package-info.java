/** Members are killed, frozen or cut off under load: what clients got acknowledged stays, exactly once. */
@NullMarked
package io.understudy.benchmarks.durability;

import org.jspecify.annotations.NullMarked;
