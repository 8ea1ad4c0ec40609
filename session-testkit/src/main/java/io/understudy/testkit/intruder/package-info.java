/** A stranger in the network: what it sends to members, and what it replays. */
@NullMarked
package io.understudy.testkit.intruder;

import org.jspecify.annotations.NullMarked;
