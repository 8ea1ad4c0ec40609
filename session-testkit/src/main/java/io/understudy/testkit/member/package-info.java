/** Members in JVMs of their own, told by a test what to do. */
@NullMarked
package io.understudy.testkit.member;

import org.jspecify.annotations.NullMarked;
