/**
 * Sockets over which both sides show a certificate, and certificates that are exchanged while they are used: TLS 1.3 of
 * the JDK. It imports the JDK alone.
 *
 * <p>Design: docs/design/tls.md.
 */
@NullMarked
package io.understudy.tls;

import org.jspecify.annotations.NullMarked;
