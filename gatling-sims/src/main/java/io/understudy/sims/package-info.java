/** Load on a running demo cluster: what a killed node costs, and how long a write takes to be everywhere. */
@NullMarked
package io.understudy.sims;

import org.jspecify.annotations.NullMarked;
