package io.understudy.codec.classes;

import org.jspecify.annotations.Nullable;

/** No list of classes. */
final class AnyClass implements ClassList {

    @Override
    public @Nullable String objection(Class<?> type) {
        return null;
    }
}
