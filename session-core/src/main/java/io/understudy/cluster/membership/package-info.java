/** The view, and what each member announces of itself: which applications it has, and how far it has got. Internal. */
@NullMarked
package io.understudy.cluster.membership;

import org.jspecify.annotations.NullMarked;
