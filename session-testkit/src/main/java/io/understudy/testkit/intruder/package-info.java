/** A stranger in the network: what it says to members, and what it plays again. */
@NullMarked
package io.understudy.testkit.intruder;

import org.jspecify.annotations.NullMarked;
