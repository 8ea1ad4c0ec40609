package io.understudy.museum.library;

import static io.understudy.museum.library.Sample.page;

import com.vaadin.flow.component.Component;
import com.vaadin.flow.component.Tag;
import com.vaadin.flow.component.Text;
import com.vaadin.flow.component.UI;
import com.vaadin.flow.dom.Element;

final class Vaadin {

    private Vaadin() {}

    /** A component of the application with a listener. */
    @Tag("shop-counter")
    static class Counter extends Component {

        private static final long serialVersionUID = 1L;

        private int count;

        Counter() {
            getElement().addEventListener("click", event -> count++);
            getElement().setProperty("label", "inc").setAttribute("theme", "primary");
        }
    }

    static Row row() {
        return Row.of(
                "Vaadin Flow",
                "flow-server",
                page("element tree", Vaadin::element, Element::getOuterHTML),
                page(
                        "component with a listener",
                        Counter::new,
                        (Counter counter) -> counter.count
                                + counter.getElement().getOuterHTML()
                                + counter.getElement().getProperty("label")),
                page("UI", Vaadin::ui, (UI ui) -> ui.getElement().getOuterHTML() + ui.getLocale()));
    }

    private static Element element() {
        return new Element("section")
                .setAttribute("id", "cart")
                .appendChild(new Element("p").setText("3 pens"), new Text("done").getElement());
    }

    private static UI ui() {
        UI ui = new UI();
        ui.setLocale(java.util.Locale.GERMANY);
        ui.add(new Counter());
        return ui;
    }
}
