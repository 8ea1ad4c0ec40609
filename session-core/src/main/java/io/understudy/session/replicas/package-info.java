/**
 * The replicas of this node, as its live sessions read and change them. Internal.
 *
 * <p>Design: docs/design/memory.md.
 */
@NullMarked
package io.understudy.session.replicas;

import org.jspecify.annotations.NullMarked;
