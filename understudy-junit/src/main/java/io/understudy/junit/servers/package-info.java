/** The application of a test, and the Tomcats that run it, each with classes of its own. Internal. */
@NullMarked
package io.understudy.junit.servers;

import org.jspecify.annotations.NullMarked;
