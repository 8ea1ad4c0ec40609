/** Compares a run on two nodes with the same on one node, and names the first difference. Internal. */
@NullMarked
package io.understudy.junit.comparison;

import org.jspecify.annotations.NullMarked;
