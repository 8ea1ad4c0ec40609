/**
 * Where bytes leave for the network and come in from it: sealed, checked and counted. Internal.
 *
 * <p>Design: docs/design/sealing.md.
 */
@NullMarked
package io.understudy.network.seal;

import org.jspecify.annotations.NullMarked;
