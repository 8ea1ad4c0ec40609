package io.understudy.springboot.shop;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/** A class of the application's, in its sessions. */
final class Cart implements Serializable {

    private static final long serialVersionUID = 1L;

    private final List<String> items = new ArrayList<>();

    void add(String item) {
        items.add(item);
    }

    @Override
    public String toString() {
        return String.join(",", items);
    }
}
