/** Kryo as attributes need it: the serializers, and how they read what another version of a class wrote. Internal. */
@NullMarked
package io.understudy.codec.kryo;

import org.jspecify.annotations.NullMarked;
