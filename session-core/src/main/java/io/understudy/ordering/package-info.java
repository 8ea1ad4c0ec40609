/**
 * Order within each session and none between sessions, as JGroups protocols. Internal. Knows no session, no frame and
 * no store.
 *
 * <p>Design: docs/design/ordering.md.
 */
@NullMarked
package io.understudy.ordering;

import org.jspecify.annotations.NullMarked;
