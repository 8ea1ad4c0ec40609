/**
 * {@link io.understudy.junit.FailoverTest}: HTTP tests of an application, on nodes that take over its sessions from each
 * other.
 */
@NullMarked
package io.understudy.junit;

import org.jspecify.annotations.NullMarked;
