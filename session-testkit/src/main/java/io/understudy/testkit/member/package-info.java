/** Members in JVMs of their own, driven by a test. */
@NullMarked
package io.understudy.testkit.member;

import org.jspecify.annotations.NullMarked;
