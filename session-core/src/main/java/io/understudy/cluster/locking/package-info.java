/** Agrees the locks of sessions with the other members: drives the rules of {@code io.understudy.lock}. Internal. */
@NullMarked
package io.understudy.cluster.locking;

import org.jspecify.annotations.NullMarked;
