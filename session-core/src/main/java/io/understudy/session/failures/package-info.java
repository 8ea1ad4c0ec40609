/**
 * Attributes that this node could not encode or decode: counted, listed and logged. Internal.
 *
 * <p>Design: docs/design/mutation-detection.md.
 */
@NullMarked
package io.understudy.session.failures;

import org.jspecify.annotations.NullMarked;
