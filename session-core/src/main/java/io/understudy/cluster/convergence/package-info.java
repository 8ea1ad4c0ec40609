/** Compares two members, and pulls what differs. Internal. */
@NullMarked
package io.understudy.cluster.convergence;

import org.jspecify.annotations.NullMarked;
