/** What rounds measure: numbers by name, their medians and ratios, histograms of times, and plots. */
@NullMarked
package io.understudy.benchmarks.figures;

import org.jspecify.annotations.NullMarked;
