/**
 * The lock of a session, as requests take it. {@link io.understudy.session.lock.SessionLock} is for adapters; the rest is
 * internal.
 *
 * <p>Design: docs/design/session-lock.md.
 */
@NullMarked
package io.understudy.session.lock;

import org.jspecify.annotations.NullMarked;
