/** One class for each library: its objects, and how a copy is judged. Loaded once for each node. */
@org.jspecify.annotations.NullMarked
package io.understudy.museum.library;
