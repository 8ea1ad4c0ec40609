/** What of the codec can be measured from inside only. */
@NullMarked
package io.understudy.codec;

import org.jspecify.annotations.NullMarked;
