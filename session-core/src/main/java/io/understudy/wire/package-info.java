/**
 * The frames that members exchange, and their bytes. Attributes are opaque bytes here. Internal.
 *
 * <p>Design: docs/design/wire-format.md.
 */
@NullMarked
package io.understudy.wire;

import org.jspecify.annotations.NullMarked;
