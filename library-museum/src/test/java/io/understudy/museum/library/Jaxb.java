package io.understudy.museum.library;

import static io.understudy.museum.library.Sample.value;

import jakarta.xml.bind.JAXBContext;
import jakarta.xml.bind.JAXBElement;
import jakarta.xml.bind.JAXBException;
import jakarta.xml.bind.annotation.XmlAccessType;
import jakarta.xml.bind.annotation.XmlAccessorType;
import jakarta.xml.bind.annotation.XmlRootElement;
import jakarta.xml.bind.annotation.XmlSchemaType;
import java.io.Serializable;
import java.io.StringReader;
import java.io.StringWriter;
import javax.xml.datatype.DatatypeFactory;
import javax.xml.datatype.XMLGregorianCalendar;
import javax.xml.namespace.QName;

final class Jaxb {

    private Jaxb() {}

    /** As it is generated of a schema. */
    @XmlRootElement(name = "order", namespace = "urn:shop")
    @XmlAccessorType(XmlAccessType.FIELD)
    static class Order implements Serializable {

        private static final long serialVersionUID = 1L;

        @XmlSchemaType(name = "date")
        XMLGregorianCalendar day;

        JAXBElement<String> note;
    }

    static Row row() {
        return Row.of(
                "JAXB",
                "jaxb-runtime",
                value("bean of a document", Jaxb::order, Jaxb::text),
                value(
                        "JAXBElement",
                        () -> new JAXBElement<>(new QName("urn:x", "a"), String.class, "b"),
                        (JAXBElement<?> element) -> element.getName() + "=" + element.getValue()),
                value("date", () -> DatatypeFactory.newInstance().newXMLGregorianCalendar("2026-02-28+01:00")),
                value(
                        "JAXBException",
                        () -> new JAXBException("no", "7"),
                        (JAXBException failed) -> failed.getMessage() + failed.getErrorCode()));
    }

    private static Order order() throws Exception {
        Order order = (Order) JAXBContext.newInstance(Order.class)
                .createUnmarshaller()
                .unmarshal(new StringReader("<x:order xmlns:x=\"urn:shop\"><day>2026-02-28</day></x:order>"));
        order.note = new JAXBElement<>(new QName("note"), String.class, "ring twice");
        return order;
    }

    private static String text(Order order) {
        try {
            StringWriter text = new StringWriter();
            JAXBContext.newInstance(Order.class).createMarshaller().marshal(order, text);
            return text.toString();
        } catch (JAXBException e) {
            throw new AssertionError(e);
        }
    }
}
