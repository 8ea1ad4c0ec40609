package io.understudy.museum.library;

import static io.understudy.museum.library.Sample.value;

import java.util.List;
import org.dom4j.DocumentHelper;
import org.dom4j.Node;
import org.dom4j.QName;

final class Dom4j {

    private Dom4j() {}

    static Row row() {
        return Row.of(
                "dom4j",
                List.of("dom4j", "jaxen"),
                value(
                        "Document",
                        () -> DocumentHelper.parseText("<a b=\"c\"><d xmlns=\"urn:x\">e</d></a>"),
                        Node::asXML),
                value("Element", () -> DocumentHelper.parseText("<a b=\"c\"/>").getRootElement(), Node::asXML),
                value("QName", () -> QName.get("a", "x", "urn:x")));
    }
}
