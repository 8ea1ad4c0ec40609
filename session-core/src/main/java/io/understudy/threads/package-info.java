/**
 * The threads of a node: what they do in turn, what happens when they fail, and the watch over all that must not stand
 * still. Internal. Knows no member and no session.
 */
@NullMarked
package io.understudy.threads;

import org.jspecify.annotations.NullMarked;
