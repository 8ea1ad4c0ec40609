/** A web application with a filter chain of Spring Security, for {@code SessionLimitTest}. */
@org.jspecify.annotations.NullMarked
package io.understudy.museum.login;
