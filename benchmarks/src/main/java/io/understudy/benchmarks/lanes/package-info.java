/** Ways for updates to reach other members, side by side in the same processes: of Understudy and of plain JGroups. */
@NullMarked
package io.understudy.benchmarks.lanes;

import org.jspecify.annotations.NullMarked;
