package io.understudy.museum.faces;

import jakarta.enterprise.context.SessionScoped;
import jakarta.inject.Named;
import java.io.Serializable;

/** A bean of the session, which all its views share. */
@Named("basket")
@SessionScoped
public class Basket implements Serializable {

    private static final long serialVersionUID = 1L;

    private int items;

    public int getItems() {
        return items;
    }

    void add() {
        items++;
    }
}
