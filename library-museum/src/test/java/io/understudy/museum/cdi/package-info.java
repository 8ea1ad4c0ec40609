/** The beans of a web application with CDI, for {@code CdiBeansTest}. */
@org.jspecify.annotations.NullMarked
package io.understudy.museum.cdi;
