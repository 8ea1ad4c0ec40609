/** A page, and an API for scripts, to end, pause and start nodes. */
@NullMarked
package io.understudy.demo.launcher.dashboard;

import org.jspecify.annotations.NullMarked;
