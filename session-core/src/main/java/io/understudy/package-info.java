/**
 * One node of a cluster, for applications and operators.
 *
 * <p>An application that starts its own container makes an {@link io.understudy.config.UnderstudyConfig}, and gives it,
 * or the node that it started, to the adapter of its container. Applications in a container need no code: their settings
 * are the container's.
 *
 * <ul>
 * <li>{@link io.understudy.Understudy#start} starts a node. {@link io.understudy.Understudy#shared} starts one for
 *     all applications of the JVM that name the same cluster.
 * <li>{@link io.understudy.Understudy#readiness} reports whether load balancers should send requests to the node. The
 *     health endpoint and JMX report the same.
 * <li>{@link io.understudy.Understudy#setNodeCoherent} turns the wait for acknowledgements off and on. {@link
 *     io.understudy.Understudy#isClusterCoherent} reports whether all nodes wait.
 * <li>{@link io.understudy.Understudy#drain} prepares the node for a stop. Its {@link io.understudy.DrainReceipt}
 *     names the members that hold the sessions.
 * <li>{@link io.understudy.Understudy#findings} and {@link io.understudy.Understudy#takeOverFailures} list what would not
 *     survive a take-over.
 * <li>{@link io.understudy.Understudy#close} leaves the cluster. The other members continue the sessions.
 * </ul>
 *
 * <p>A node that loads many sessions, and then stops:
 *
 * <pre>{@code
 * try (Understudy node = Understudy.start(config)) {
 *     node.setNodeCoherent(false); // Responses do not wait while much is loaded.
 *     load.run();
 *     node.setNodeCoherent(true); // Returns when the other members hold all of it.
 *
 *     DrainReceipt receipt = node.drain(Duration.ofSeconds(30));
 *     log.add(receipt.toString());
 * }
 * }</pre>
 *
 * <p>All classes of this package may be used from any thread. To connect another kind of container, see {@link
 * io.understudy.session}.
 */
@NullMarked
package io.understudy;

import org.jspecify.annotations.NullMarked;
