package io.understudy.museum.vaadin;

import com.vaadin.flow.component.AbstractSinglePropertyField;
import com.vaadin.flow.component.ClickNotifier;
import com.vaadin.flow.component.Component;
import com.vaadin.flow.component.HasComponents;
import com.vaadin.flow.component.Tag;
import com.vaadin.flow.component.Text;
import com.vaadin.flow.router.Route;
import com.vaadin.flow.server.VaadinRequest;
import com.vaadin.flow.server.VaadinService;
import com.vaadin.flow.server.VaadinSession;

/** Counts clicks, in the view and in the session, and shows what the field held at the last one. */
@Route("")
@Tag("main")
public class CounterView extends Component implements HasComponents {

    private static final long serialVersionUID = 1L;

    private static final String TOTAL = "total";

    /** A button of the browser. */
    @Tag("button")
    static final class Button extends Component implements ClickNotifier<Button> {
        private static final long serialVersionUID = 1L;
    }

    /** A link of the browser. */
    @Tag("a")
    static final class Link extends Component implements ClickNotifier<Link> {
        private static final long serialVersionUID = 1L;
    }

    /** An input of the browser. */
    @Tag("input")
    static final class Field extends AbstractSinglePropertyField<Field, String> {
        private static final long serialVersionUID = 1L;

        Field() {
            super("value", "", false);
        }
    }

    private final Text shown = new Text("none");
    private final Field field = new Field();
    private int count;

    public CounterView() {
        Button button = new Button();
        button.addClickListener(event -> click());
        Link login = new Link();
        login.addClickListener(event -> login());
        add(shown, field, button, login);
    }

    private void click() {
        count++;
        VaadinSession session = VaadinSession.getCurrent();
        int total = session.getAttribute(TOTAL) instanceof Integer before ? before + 1 : 1;
        session.setAttribute(TOTAL, total);
        String method = VaadinRequest.getCurrent().getMethod();
        shown.setText(String.join(" ", method, "count=" + count, "total=" + total, field.getValue()));
    }

    /** Goes on in a session with another id, as logins do. */
    private void login() {
        VaadinService.reinitializeSession(VaadinRequest.getCurrent());
        shown.setText("logged in");
    }
}
