/** The settings of a node, checked as a whole before anything starts. Imports nothing else of Understudy. */
@NullMarked
package io.understudy.config;

import org.jspecify.annotations.NullMarked;
