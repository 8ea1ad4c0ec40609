/**
 * Sealed frames: encrypted and authenticated bytes between the members of a cluster that share a secret, and how a member finds out that a sender is
 * alive now. Pure: it knows no sockets, and nothing but the JDK.
 */
@NullMarked
package io.understudy.sealing;

import org.jspecify.annotations.NullMarked;
