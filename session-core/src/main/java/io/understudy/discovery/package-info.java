/** How a node finds the addresses of other nodes: by DNS, a shared directory, a database. Internal. */
@NullMarked
package io.understudy.discovery;

import org.jspecify.annotations.NullMarked;
