/** What a node counts and measures, for JMX and for text scrapers. Imports nothing else of Understudy. */
@NullMarked
package io.understudy.metrics;

import org.jspecify.annotations.NullMarked;
