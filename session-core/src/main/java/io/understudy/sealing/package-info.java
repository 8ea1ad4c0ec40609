/**
 * Sealed frames: encrypted and authenticated bytes between the members of a cluster that share a secret, and how a
 * member finds out that a sender is alive now. Pure: it knows no sockets, and nothing but the JDK.
 *
 * <p>Design: docs/design/sealing.md.
 */
@NullMarked
package io.understudy.sealing;

import org.jspecify.annotations.NullMarked;
