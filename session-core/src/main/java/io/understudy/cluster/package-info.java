/** The members and their messages: channel, acknowledgements, joining and reconciling. Internal. */
@NullMarked
package io.understudy.cluster;

import org.jspecify.annotations.NullMarked;
