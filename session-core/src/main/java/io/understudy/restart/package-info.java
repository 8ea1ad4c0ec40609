/** Sessions in a file, between the stop of the last member and the start of the first. Knows no member and no store. */
@NullMarked
package io.understudy.restart;

import org.jspecify.annotations.NullMarked;
