/**
 * Carries sessions over a stop of all members, in files. Internal.
 *
 * <p>Design: docs/design/restart.md.
 */
@NullMarked
package io.understudy.cluster.restart;

import org.jspecify.annotations.NullMarked;
