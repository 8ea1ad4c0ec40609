/** What is on the wire: recorded connections, and a name server. */
@NullMarked
package io.understudy.testkit.wire;

import org.jspecify.annotations.NullMarked;
