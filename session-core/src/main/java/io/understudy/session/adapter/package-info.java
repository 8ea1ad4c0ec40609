/**
 * Most of an adapter, for containers that give each request a thread which may wait, and whose responses leave as a
 * whole.
 *
 * <p>{@link io.understudy.session.adapter.BlockingSessions} has the sessions of one application, and makes the calls
 * that {@link io.understudy.session} lists, in their order. A container implements {@link
 * io.understudy.session.adapter.ContainerRequest} for it, and for each request calls, in this order:
 *
 * <ol>
 * <li>{@link io.understudy.session.adapter.BlockingSessions#request request}.
 * <li>{@link io.understudy.session.adapter.BlockingRequest#admit admit}. The container answers 503 if it returns false.
 * <li>{@link io.understudy.session.adapter.BlockingRequest#call call}, which runs the application.
 * <li>{@link io.understudy.session.adapter.BlockingRequest#settle settle}. The container answers 503 if it returns false.
 * <li>{@link io.understudy.session.adapter.BlockingRequest#newId newId} and {@link io.understudy.session.adapter.BlockingRequest#versionCookie versionCookie} for
 *     the cookies of the response, and then the response.
 * <li>{@link io.understudy.session.adapter.BlockingRequest#close close}, whatever failed.
 * </ol>
 *
 * <p>The adapters for Tomcat and Jetty do not use this package: their requests change threads, and their responses
 * leave in parts.
 *
 * <p>The guide's page "Write an adapter" has an example.
 */
@NullMarked
package io.understudy.session.adapter;

import org.jspecify.annotations.NullMarked;
