/**
 * Compares two members, and pulls what differs. Internal.
 *
 * <p>Design: docs/design/convergence.md.
 */
@NullMarked
package io.understudy.cluster.convergence;

import org.jspecify.annotations.NullMarked;
