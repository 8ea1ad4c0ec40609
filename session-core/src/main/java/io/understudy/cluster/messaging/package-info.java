/** Frames that are no changes, and requests with their responses. Internal. */
@NullMarked
package io.understudy.cluster.messaging;

import org.jspecify.annotations.NullMarked;
