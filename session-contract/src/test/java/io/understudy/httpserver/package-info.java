/** The smallest adapter: replicated sessions for the JDK's HTTP server. {@code docs/guide/write-an-adapter.md} explains it. */
@NullMarked
package io.understudy.httpserver;

import org.jspecify.annotations.NullMarked;
