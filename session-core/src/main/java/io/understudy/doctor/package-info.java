/**
 * What replication would lose of the objects in a session, for developers. Internal, but for {@link
 * io.understudy.doctor.Finding}.
 *
 * <p>Design: docs/design/session-doctor.md.
 */
@NullMarked
package io.understudy.doctor;

import org.jspecify.annotations.NullMarked;
