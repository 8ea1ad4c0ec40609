/** One node of the demo: a container in a JVM of its own, with the shop deployed. */
@NullMarked
package io.understudy.demo.launcher.node;

import org.jspecify.annotations.NullMarked;
