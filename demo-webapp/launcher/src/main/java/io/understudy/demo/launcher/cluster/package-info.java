/** The demo's nodes as child processes, and what is known of their health. */
@NullMarked
package io.understudy.demo.launcher.cluster;

import org.jspecify.annotations.NullMarked;
