/** An application as users have them: it knows nothing of Understudy but what it shows of the node. */
@NullMarked
package io.understudy.springboot.shop;

import org.jspecify.annotations.NullMarked;
