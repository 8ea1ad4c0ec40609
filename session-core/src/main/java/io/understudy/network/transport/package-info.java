/**
 * TCP, UDP, multicast discovery and reliable multicast as JGroups protocols, with Understudy's guards. Internal.
 *
 * <p>Design: docs/design/transport.md.
 */
@NullMarked
package io.understudy.network.transport;

import org.jspecify.annotations.NullMarked;
