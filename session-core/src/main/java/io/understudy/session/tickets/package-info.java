/**
 * The requests that use a session, by their tickets, and which of them hold an object. Internal.
 *
 * <p>Design: docs/design/mutation-detection.md.
 */
@NullMarked
package io.understudy.session.tickets;

import org.jspecify.annotations.NullMarked;
