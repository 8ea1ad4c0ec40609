/** The clients of such nodes, in a process of their own, and what they know of their sessions. */
@NullMarked
package io.understudy.benchmarks.peers.client;

import org.jspecify.annotations.NullMarked;
