/** Agrees the end of sessions with the other members: drives the rules of {@code io.understudy.expiry}. Internal. */
@NullMarked
package io.understudy.cluster.expiry;

import org.jspecify.annotations.NullMarked;
