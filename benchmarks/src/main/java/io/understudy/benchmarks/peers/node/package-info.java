/** Nodes of each product, in processes that have no more on their class path than the product needs. */
@NullMarked
package io.understudy.benchmarks.peers.node;

import org.jspecify.annotations.NullMarked;
