/** The settings of a node and their texts, checked as a whole before anything starts. Uses nothing else of Understudy. */
@NullMarked
package io.understudy.config;

import org.jspecify.annotations.NullMarked;
