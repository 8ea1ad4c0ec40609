/**
 * The attributes of a session as requests of this node use them: decoded when read, and looked through for changes.
 * Internal.
 *
 * <p>Design: docs/design/mutation-detection.md.
 */
@NullMarked
package io.understudy.session.attributes;

import org.jspecify.annotations.NullMarked;
