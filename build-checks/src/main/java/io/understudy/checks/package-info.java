/** What is checked of all modules together, after they are built: which package knows which, which test is of which tier. */
@NullMarked
package io.understudy.checks;

import org.jspecify.annotations.NullMarked;
