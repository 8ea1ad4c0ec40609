/** One node of a cluster: {@link io.understudy.Understudy} starts it, watches it and closes it. The supported API. */
@NullMarked
package io.understudy;

import org.jspecify.annotations.NullMarked;
