/** Members that are slow, stand still or are gone: how soon the others notice it, and how long requests wait. */
@NullMarked
package io.understudy.benchmarks.silence;

import org.jspecify.annotations.NullMarked;
