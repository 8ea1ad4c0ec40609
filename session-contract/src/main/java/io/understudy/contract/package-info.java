/** What sessions promise to applications: the same on every container, with its own sessions and with replicated ones. */
@NullMarked
package io.understudy.contract;

import org.jspecify.annotations.NullMarked;
