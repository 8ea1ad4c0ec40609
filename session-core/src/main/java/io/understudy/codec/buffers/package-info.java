/** Bounded input and output, copies of values that change while they are encoded, and their weight on the heap. Internal. */
@NullMarked
package io.understudy.codec.buffers;

import org.jspecify.annotations.NullMarked;
