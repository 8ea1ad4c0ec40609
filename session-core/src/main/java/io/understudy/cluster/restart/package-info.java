/** Carries sessions over a stop of all members, in files. Internal. */
@NullMarked
package io.understudy.cluster.restart;

import org.jspecify.annotations.NullMarked;
