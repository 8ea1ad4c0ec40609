/**
 * Finds the sessions that this node has to end, has the members agree, and calls listeners for ends elsewhere.
 * Internal.
 *
 * <p>Design: docs/design/expiry.md.
 */
@NullMarked
package io.understudy.session.expiry;

import org.jspecify.annotations.NullMarked;
