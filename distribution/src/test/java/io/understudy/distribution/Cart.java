package io.understudy.distribution;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/** What the web application keeps in a session: a class of its own, whose objects change in place. */
public class Cart implements Serializable {

    private static final long serialVersionUID = 1;

    private final List<String> items = new ArrayList<>();

    public void add(String item) {
        items.add(item);
    }

    @Override
    public String toString() {
        return items.toString();
    }
}
