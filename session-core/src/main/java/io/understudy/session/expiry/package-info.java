/** Finds the sessions that this node has to end, has the members agree, and calls listeners for ends elsewhere. Internal. */
@NullMarked
package io.understudy.session.expiry;

import org.jspecify.annotations.NullMarked;
