/**
 * Which members are missing and how that was noticed, and the merge with them later, as JGroups protocols. Internal.
 *
 * <p>Design: docs/design/failure-detection.md.
 */
@NullMarked
package io.understudy.network.detection;

import org.jspecify.annotations.NullMarked;
