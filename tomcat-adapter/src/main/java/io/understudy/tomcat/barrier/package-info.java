/** The end of a response, which waits for the changes of its request, and what the client gets if they fail. */
@NullMarked
package io.understudy.tomcat.barrier;

import org.jspecify.annotations.NullMarked;
