/**
 * Order within each session and none between sessions, as JGroups protocols. Internal. Knows no session, no frame and no
 * store.
 */
@NullMarked
package io.understudy.ordering;

import org.jspecify.annotations.NullMarked;
