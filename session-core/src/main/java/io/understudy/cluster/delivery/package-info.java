/**
 * Sends changes in order, and knows which members have acknowledged them. Internal.
 *
 * <p>Design: docs/design/ordering.md.
 */
@NullMarked
package io.understudy.cluster.delivery;

import org.jspecify.annotations.NullMarked;
