package io.understudy.museum.cdi;

import jakarta.enterprise.context.SessionScoped;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/** A bean of the session. */
@SessionScoped
public class Cart implements Serializable {

    private static final long serialVersionUID = 1L;

    private final List<String> items = new ArrayList<>();

    void add(String item) {
        items.add(item);
    }

    String text() {
        return String.join(" ", items);
    }
}
