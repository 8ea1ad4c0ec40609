/** Starts the demo: nodes, front door, dashboard; and ends them together. */
@NullMarked
package io.understudy.demo.launcher;

import org.jspecify.annotations.NullMarked;
