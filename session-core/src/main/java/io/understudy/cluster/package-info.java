/**
 * The members and what they tell each other: channel, protocol stack, acknowledgements, joining and reconciling. Internal.
 * With {@code ordering} the only user of JGroups.
 */
@NullMarked
package io.understudy.cluster;

import org.jspecify.annotations.NullMarked;
