/**
 * The requests of this node: what they wait for before they look for a session, and how many may wait. Internal.
 *
 * <p>Design: docs/design/joining.md.
 */
@NullMarked
package io.understudy.session.requests;

import org.jspecify.annotations.NullMarked;
