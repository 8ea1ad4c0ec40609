/** Small applications: each has one fault that shows when another node continues its session, or none. */
@NullMarked
package io.understudy.junit.samples;

import org.jspecify.annotations.NullMarked;
