/** Sends changes in order, and knows which members have acknowledged them. Internal. */
@NullMarked
package io.understudy.cluster.delivery;

import org.jspecify.annotations.NullMarked;
