/**
 * The members and what they tell each other: channel, protocol stack, order per session, acknowledgements, joining and
 * reconciling. Internal. The only user of JGroups.
 */
@NullMarked
package io.understudy.cluster;

import org.jspecify.annotations.NullMarked;
