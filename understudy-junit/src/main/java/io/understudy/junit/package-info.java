/**
 * {@link io.understudy.junit.FailoverTest}: HTTP tests of an application, on nodes that take over its sessions from each
 * other. Part of the API; the packages below it are internal.
 *
 * <p>Design: docs/design/fail-over-tests.md.
 */
@NullMarked
package io.understudy.junit;

import org.jspecify.annotations.NullMarked;
