/** The one address of the demo: a reverse proxy that goes round nodes that are not ready. */
@NullMarked
package io.understudy.demo.launcher.frontdoor;

import org.jspecify.annotations.NullMarked;
