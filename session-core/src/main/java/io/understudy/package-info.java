/**
 * The supported API: {@link io.understudy.Understudy} starts a node, {@link io.understudy.ReplicatedSessions} are one
 * application's sessions on it, and a {@link io.understudy.LiveSession} is what a container's session object stands on.
 */
@NullMarked
package io.understudy;

import org.jspecify.annotations.NullMarked;
