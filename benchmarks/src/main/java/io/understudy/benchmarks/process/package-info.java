/** Processes of experiments: members in networks of their own, commands to them, their output, and what they use. */
@NullMarked
package io.understudy.benchmarks.process;

import org.jspecify.annotations.NullMarked;
