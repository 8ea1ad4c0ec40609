/**
 * Brings an application on this member from nothing to ready, and fetches what a request needs meanwhile. Internal.
 *
 * <p>Design: docs/design/joining.md.
 */
@NullMarked
package io.understudy.cluster.joining;

import org.jspecify.annotations.NullMarked;
