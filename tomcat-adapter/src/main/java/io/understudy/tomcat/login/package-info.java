/** Logins of Tomcat that other nodes go on with: of one session, and of a single sign-on. */
@NullMarked
package io.understudy.tomcat.login;

import org.jspecify.annotations.NullMarked;
