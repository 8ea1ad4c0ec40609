/** How a node finds others by what tells their addresses: DNS, a shared directory, a database. Internal. */
@NullMarked
package io.understudy.discovery;

import org.jspecify.annotations.NullMarked;
