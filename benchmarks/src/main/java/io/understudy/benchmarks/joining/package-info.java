/** Members that join others which hold many sessions, also when a provider is killed, or after an orderly stop. */
@NullMarked
package io.understudy.benchmarks.joining;

import org.jspecify.annotations.NullMarked;
