/** The values that settings have about sessions and their requests, whatever text they were read from. Part of the API. */
@NullMarked
package io.understudy.config.session;

import org.jspecify.annotations.NullMarked;
