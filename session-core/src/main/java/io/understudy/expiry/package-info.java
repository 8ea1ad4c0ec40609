/**
 * Who ends a session: claims, votes and promises. Rules alone, without threads, network or clock of their own: what goes
 * in are members, claims and messages, what comes out are messages and verdicts.
 */
@NullMarked
package io.understudy.expiry;

import org.jspecify.annotations.NullMarked;
