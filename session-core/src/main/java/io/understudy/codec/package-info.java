/**
 * Attributes of applications to bytes and back. Internal. The only user of Kryo.
 *
 * <p>Design: docs/design/attributes.md.
 */
@NullMarked
package io.understudy.codec;

import org.jspecify.annotations.NullMarked;
