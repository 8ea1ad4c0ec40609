/**
 * HTTP for load balancers and scripts, one request for each connection. Internal.
 *
 * <p>Design: docs/design/health.md.
 */
@NullMarked
package io.understudy.health;

import org.jspecify.annotations.NullMarked;
