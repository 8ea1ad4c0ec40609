/** What happened to sessions that ended, were claimed or changed hands. Imports nothing of Understudy but keys. */
@NullMarked
package io.understudy.audit;

import org.jspecify.annotations.NullMarked;
