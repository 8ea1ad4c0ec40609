/**
 * One datagram for all members that confirm that multicast reaches them. Internal.
 *
 * <p>Design: docs/design/transport.md.
 */
@NullMarked
package io.understudy.network.multicast;

import org.jspecify.annotations.NullMarked;
