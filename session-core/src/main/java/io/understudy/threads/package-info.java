/**
 * The threads of a node: what they do in turn, what happens when they fail, and the watch over all that must not stand
 * still. Also a value of each thread, for those of a container. Internal. Knows no member and no session.
 */
@NullMarked
package io.understudy.threads;

import org.jspecify.annotations.NullMarked;
