/** The answers that clients got, judged against what members hold. */
@NullMarked
package io.understudy.testkit.history;

import org.jspecify.annotations.NullMarked;
