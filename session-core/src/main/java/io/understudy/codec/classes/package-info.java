/**
 * Which classes attributes may have: the filter, the lists of classes, and classes with a form of their own. Internal.
 *
 * <p>Design: docs/design/attributes.md.
 */
@NullMarked
package io.understudy.codec.classes;

import org.jspecify.annotations.NullMarked;
