/** The one address that the client of a run sees, and the record of its requests. Internal. */
@NullMarked
package io.understudy.junit.front;

import org.jspecify.annotations.NullMarked;
