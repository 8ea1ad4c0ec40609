/**
 * What the session doctor reports to developers. Part of the API.
 *
 * <p>Design: docs/design/session-doctor.md.
 */
@NullMarked
package io.understudy.doctor.findings;

import org.jspecify.annotations.NullMarked;
