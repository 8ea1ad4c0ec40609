/** Networks of the test's own: namespaces, bridges, cut and lossy links, captures. */
@NullMarked
package io.understudy.testkit.netns;

import org.jspecify.annotations.NullMarked;
