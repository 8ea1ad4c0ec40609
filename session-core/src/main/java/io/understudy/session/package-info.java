/**
 * One application's sessions as a container's session manager sees them: the interface for adapters. {@link
 * io.understudy.session.ReplicatedSessions} are the sessions, and a {@link io.understudy.session.LiveSession} is what a
 * container's session object stands on.
 */
@NullMarked
package io.understudy.session;

import org.jspecify.annotations.NullMarked;
