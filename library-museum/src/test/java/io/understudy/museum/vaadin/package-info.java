/** The view of a web application with Vaadin Flow. */
@org.jspecify.annotations.NullMarked
package io.understudy.museum.vaadin;
