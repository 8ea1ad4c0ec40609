/**
 * Where a node keeps its replicas. Internal. The only user of Caffeine.
 *
 * <p>Design: docs/design/memory.md.
 */
@NullMarked
package io.understudy.store;

import org.jspecify.annotations.NullMarked;
