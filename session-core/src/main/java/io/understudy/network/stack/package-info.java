/** Composes and checks the JGroups stack that the settings ask for. Internal. */
@NullMarked
package io.understudy.network.stack;

import org.jspecify.annotations.NullMarked;
