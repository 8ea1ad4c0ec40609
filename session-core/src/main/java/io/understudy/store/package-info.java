/** Where a node keeps its replicas. Internal. The only user of Caffeine. */
@NullMarked
package io.understudy.store;

import org.jspecify.annotations.NullMarked;
