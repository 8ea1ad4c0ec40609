/** Clusters of nodes for tests, in this JVM or beside it, and what watches them. */
@NullMarked
package io.understudy.testkit;

import org.jspecify.annotations.NullMarked;
