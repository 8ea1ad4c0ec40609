/**
 * One node in its cluster: makes the parts of a node and of its applications, hands each frame to the part that takes it,
 * and ends them. Internal.
 */
@NullMarked
package io.understudy.cluster;

import org.jspecify.annotations.NullMarked;
