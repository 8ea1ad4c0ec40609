/** Has every place of a node's code throw, and looks what becomes of the cluster. */
@NullMarked
package io.understudy.testkit.faultsweep;

import org.jspecify.annotations.NullMarked;
