/**
 * Notifies attributes of their activation and passivation. {@link io.understudy.session.activation.Activation} is for
 * adapters; the rest is internal.
 *
 * <p>Design: docs/design/mutation-detection.md.
 */
@NullMarked
package io.understudy.session.activation;

import org.jspecify.annotations.NullMarked;
