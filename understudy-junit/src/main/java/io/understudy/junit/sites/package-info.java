/** The servers of one run: one without replication, or two nodes that take turns. Internal. */
@NullMarked
package io.understudy.junit.sites;

import org.jspecify.annotations.NullMarked;
