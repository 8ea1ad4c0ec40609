/** A web application of Wicket, for {@code WicketPagesTest}. */
@org.jspecify.annotations.NullMarked
package io.understudy.museum.wicket;
