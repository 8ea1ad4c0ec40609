/** The demo shop: a plain servlet application, deployed unchanged on every container. */
@NullMarked
package io.understudy.demo.shop;

import org.jspecify.annotations.NullMarked;
