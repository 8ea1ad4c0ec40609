/**
 * Session replication in Jetty 12.1: one {@link io.understudy.jetty.UnderstudySessionFactory} bean on the server, for
 * core, EE8, EE9, EE10 and EE11 contexts alike. Refers to Jetty's core types only, never to a servlet API.
 */
@NullMarked
package io.understudy.jetty;

import org.jspecify.annotations.NullMarked;
