/**
 * Objects to bytes and back: attributes of applications, and the frames that members exchange. Internal. The only user
 * of Kryo.
 */
@NullMarked
package io.understudy.codec;

import org.jspecify.annotations.NullMarked;
