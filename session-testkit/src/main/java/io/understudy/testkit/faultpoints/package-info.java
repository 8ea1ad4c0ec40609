/**
 * Has any allocation of Understudy's own code throw, and calls of its parts throw anything: which place, and at which of its
 * turns, the test chooses.
 */
@NullMarked
package io.understudy.testkit.faultpoints;

import org.jspecify.annotations.NullMarked;
