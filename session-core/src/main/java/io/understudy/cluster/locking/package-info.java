/**
 * Agrees the locks of sessions with the other members: drives the rules of {@code io.understudy.lock}. Internal.
 *
 * <p>Design: docs/design/session-lock.md.
 */
@NullMarked
package io.understudy.cluster.locking;

import org.jspecify.annotations.NullMarked;
