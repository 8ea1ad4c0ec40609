package io.understudy.museum.library;

import static io.understudy.museum.library.Sample.value;

import org.jdom2.Document;
import org.jdom2.Element;
import org.jdom2.Namespace;
import org.jdom2.output.XMLOutputter;

final class Jdom {

    private Jdom() {}

    static Row row() {
        return Row.of(
                "JDOM 2",
                "jdom2",
                value(
                        "Document",
                        () -> new Document(element()),
                        (Document document) -> new XMLOutputter().outputString(document)),
                value("Element", Jdom::element, (Element element) -> new XMLOutputter().outputString(element)));
    }

    private static Element element() {
        Namespace namespace = Namespace.getNamespace("x", "urn:x");
        return new Element("a", namespace).setAttribute("b", "c").addContent(new Element("d", namespace).setText("e"));
    }
}
