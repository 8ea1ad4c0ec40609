/** The frames that members exchange, and their bytes. Attributes are opaque bytes here. Internal. */
@NullMarked
package io.understudy.wire;

import org.jspecify.annotations.NullMarked;
