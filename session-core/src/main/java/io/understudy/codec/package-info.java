/** Attributes of applications to bytes and back. Internal. The only user of Kryo. */
@NullMarked
package io.understudy.codec;

import org.jspecify.annotations.NullMarked;
