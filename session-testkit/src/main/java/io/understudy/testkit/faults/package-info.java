/** A cluster in one JVM whose messages can be lost, late, repeated and cut. */
@NullMarked
package io.understudy.testkit.faults;

import org.jspecify.annotations.NullMarked;
