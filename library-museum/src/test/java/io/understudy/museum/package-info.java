/** Objects of libraries that applications keep in sessions, from one node to another. */
@org.jspecify.annotations.NullMarked
package io.understudy.museum;
