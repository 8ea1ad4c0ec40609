/**
 * One application's sessions as a container's session manager uses them: the interface for adapters.
 *
 * <p>{@link io.understudy.session.ReplicatedSessions} has the sessions of one application on this node. A container's
 * session object is a view of a {@link io.understudy.session.LiveSession}. For each request an adapter calls, in this
 * order:
 *
 * <ol>
 * <li>{@link io.understudy.session.ReplicatedSessions#admit admit} before the look-up. It can wait for the network.
 * <li>{@link io.understudy.session.ReplicatedSessions#lock lock}, if requests to the path take the session lock.
 * <li>{@link io.understudy.session.ReplicatedSessions#find find}, and {@link io.understudy.session.LiveSession#use
 *     use} with {@link io.understudy.session.SessionUse#begin begin}.
 * <li>{@link io.understudy.session.SessionUse#commit commit} after the application ran. The adapter waits for the
 *     {@link io.understudy.session.Commit} before the response is complete, outside the container's locks.
 * <li>{@link io.understudy.session.SessionUse#responseReady responseReady}, then the last bytes of the response.
 * <li>{@link io.understudy.session.SessionUse#end end}, and {@link io.understudy.session.lock.SessionLock#close close} of
 *     the lock.
 * </ol>
 *
 * <p>A timer calls {@link io.understudy.session.ReplicatedSessions#expire expire} about once a second.
 *
 * <p>A request that counts:
 *
 * <pre>{@code
 * if (sessions.admit(id) == Admission.UNAVAILABLE) {
 *     return null; // Status 503 with Retry-After.
 * }
 * LiveSession session = sessions.find(id);
 * if (session == null || session.overdue()) {
 *     return Outcome.UNCHANGED;
 * }
 * SessionUse use = session.use();
 * try {
 *     use.begin();
 *     session.attributes(use.ticket()).merge("count", 1, (a, b) -> (Integer) a + (Integer) b);
 *     Outcome outcome = use.commit(null).await(); // The response leaves after this.
 *     use.responseReady();
 *     return outcome;
 * } finally {
 *     use.end();
 * }
 * }</pre>
 *
 * <p>The guide's page "Write an adapter" explains each step with the code of a small adapter. The module
 * {@code session-contract} tests adapters.
 */
@NullMarked
package io.understudy.session;

import org.jspecify.annotations.NullMarked;
