/** What the adapter knows of Tomcat itself: its version, its classes, its ids and attributes, and its stop. */
@NullMarked
package io.understudy.tomcat.container;

import org.jspecify.annotations.NullMarked;
