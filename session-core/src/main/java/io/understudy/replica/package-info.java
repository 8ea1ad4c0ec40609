/**
 * What a session's state is and how two versions of it become one: pure rules without threads, network or clock of
 * their own. Imports {@code java.base} only.
 */
@NullMarked
package io.understudy.replica;

import org.jspecify.annotations.NullMarked;
