/** Bytes and time that attributes take, by JMH, beside the serialization of the JDK. */
@NullMarked
package io.understudy.benchmarks.codec;

import org.jspecify.annotations.NullMarked;
