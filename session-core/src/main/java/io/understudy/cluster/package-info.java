/**
 * The members and their messages: channel, protocol stack, acknowledgements, joining and reconciling. Internal. With
 * {@code ordering} the only user of JGroups.
 */
@NullMarked
package io.understudy.cluster;

import org.jspecify.annotations.NullMarked;
