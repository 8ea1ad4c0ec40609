/**
 * The session lock: one request of a session at a time. Rules alone, without threads, network or clock of their own:
 * what goes in are views, claims and messages, what comes out are messages and grants.
 *
 * <p>Design: docs/design/session-lock.md.
 */
@NullMarked
package io.understudy.lock;

import org.jspecify.annotations.NullMarked;
