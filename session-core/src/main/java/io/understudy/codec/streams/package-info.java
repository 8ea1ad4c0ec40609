/** Streams of the JDK, for classes that only these encode faithfully. Internal. */
@NullMarked
package io.understudy.codec.streams;

import org.jspecify.annotations.NullMarked;
