/**
 * Decides which member ends a session: claims, votes and promises. Rules alone, without threads, network or clock of
 * their own: members, claims and messages go in, messages and verdicts come out.
 *
 * <p>Design: docs/design/expiry.md.
 */
@NullMarked
package io.understudy.expiry;

import org.jspecify.annotations.NullMarked;
