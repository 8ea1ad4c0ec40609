/**
 * What replication would lose of the objects in a session, for developers. Internal; {@code doctor.findings} has what it
 * reports.
 *
 * <p>Design: docs/design/session-doctor.md.
 */
@NullMarked
package io.understudy.doctor;

import org.jspecify.annotations.NullMarked;
