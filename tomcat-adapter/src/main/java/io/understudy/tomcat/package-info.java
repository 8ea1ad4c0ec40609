/** Replicated sessions for Tomcat 10.1 and 11: set {@link io.understudy.tomcat.UnderstudyManager} on a context. */
@NullMarked
package io.understudy.tomcat;

import org.jspecify.annotations.NullMarked;
