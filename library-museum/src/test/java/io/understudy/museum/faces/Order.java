package io.understudy.museum.faces;

import jakarta.el.ValueExpression;
import jakarta.faces.application.FacesMessage;
import jakarta.faces.component.UIComponent;
import jakarta.faces.component.html.HtmlOutputText;
import jakarta.faces.context.FacesContext;
import jakarta.faces.context.Flash;
import jakarta.faces.view.ViewScoped;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import java.io.Serializable;

/** A bean of one view. */
@Named("order")
@ViewScoped
public class Order implements Serializable {

    private static final long serialVersionUID = 1L;

    @Inject
    Basket basket;

    private int clicks;
    private String note = "";

    public int getClicks() {
        return clicks;
    }

    public String getNote() {
        return note;
    }

    public void setNote(String to) {
        note = to;
    }

    /** Counts, in the view and in the session. */
    public void click() {
        clicks++;
        basket.add();
        message("click " + clicks);
    }

    /** Adds a component that has a value expression made in Java, as dynamic forms and columns have. */
    public void grow() {
        FacesContext context = FacesContext.getCurrentInstance();
        ValueExpression items = context.getApplication()
                .getExpressionFactory()
                .createValueExpression(context.getELContext(), "#{basket.items}", Object.class);
        UIComponent panel = context.getViewRoot().findComponent("form:panel");
        HtmlOutputText text = new HtmlOutputText();
        text.setId("made" + panel.getChildCount());
        text.setValueExpression("value", items);
        panel.getChildren().add(text);
        message("grown to " + panel.getChildCount());
    }

    /** Goes to another page by a redirect, with a receipt in the flash. */
    public String send() {
        Flash flash = FacesContext.getCurrentInstance().getExternalContext().getFlash();
        flash.put("receipt", note + " was sent");
        flash.setKeepMessages(true);
        message("sent");
        return "sent?faces-redirect=true";
    }

    private static void message(String text) {
        FacesContext.getCurrentInstance().addMessage(null, new FacesMessage(text));
    }
}
