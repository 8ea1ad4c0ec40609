/**
 * How a node finds the addresses of other nodes: by DNS, a shared directory, a database. Internal.
 *
 * <p>Design: docs/design/discovery.md.
 */
@NullMarked
package io.understudy.discovery;

import org.jspecify.annotations.NullMarked;
