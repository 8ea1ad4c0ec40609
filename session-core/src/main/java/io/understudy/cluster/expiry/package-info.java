/**
 * Agrees the end of sessions with the other members: drives the rules of {@code io.understudy.expiry}. Internal.
 *
 * <p>Design: docs/design/expiry.md.
 */
@NullMarked
package io.understudy.cluster.expiry;

import org.jspecify.annotations.NullMarked;
