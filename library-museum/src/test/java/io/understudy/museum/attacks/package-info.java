/** Published chains of classes that run code when they are read, with payloads that do no harm. */
@org.jspecify.annotations.NullMarked
package io.understudy.museum.attacks;
