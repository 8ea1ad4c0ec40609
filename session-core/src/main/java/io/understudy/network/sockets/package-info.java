/** Sockets of members: they are admitted one by one, and writes to them do not wait. */
@NullMarked
package io.understudy.network.sockets;

import org.jspecify.annotations.NullMarked;
