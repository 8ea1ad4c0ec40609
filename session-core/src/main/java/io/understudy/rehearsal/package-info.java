/**
 * Tries out whether this node could take over the sessions of other members. {@link
 * io.understudy.rehearsal.TakeOverRehearsal} is the way in.
 *
 * <p>Design: docs/design/take-over-rehearsal.md.
 */
@NullMarked
package io.understudy.rehearsal;

import org.jspecify.annotations.NullMarked;
