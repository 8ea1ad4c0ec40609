/**
 * Composes and checks the JGroups stack that the settings ask for. Internal.
 *
 * <p>Design: docs/design/transport.md.
 */
@NullMarked
package io.understudy.network.stack;

import org.jspecify.annotations.NullMarked;
