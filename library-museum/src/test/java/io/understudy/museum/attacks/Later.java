package io.understudy.museum.attacks;

import java.io.Serializable;
import java.util.Comparator;

/**
 * Stands for an object until a {@link PayloadStream} writes it. A collection that holds this neither hashes nor compares
 * the object, which would run the chain here.
 */
final class Later implements Comparator<Object>, Serializable {

    private static final long serialVersionUID = 1L;

    private final transient Object object;

    Later(Object object) {
        this.object = object;
    }

    Object object() {
        return object;
    }

    @Override
    @SuppressWarnings("UnusedVariable") // Nothing compares with it before its place is taken.
    public int compare(Object left, Object right) {
        return 0;
    }
}
