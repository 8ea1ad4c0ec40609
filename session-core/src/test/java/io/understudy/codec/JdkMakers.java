package io.understudy.codec;

import java.beans.PropertyChangeEvent;
import java.beans.PropertyChangeListener;
import java.beans.PropertyChangeSupport;
import java.io.ByteArrayInputStream;
import java.io.Serializable;
import java.io.StringReader;
import java.io.StringWriter;
import java.net.MalformedURLException;
import java.net.URL;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.CertPath;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Arrays;
import java.util.Base64;
import java.util.GregorianCalendar;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;
import javax.xml.datatype.DatatypeFactory;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.transform.TransformerException;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import org.w3c.dom.Document;
import org.w3c.dom.Node;
import org.xml.sax.InputSource;

/** Values of the JDK outside of its collections and times, and what of them has to be the same. */
final class JdkMakers {

    /** Of a key that nobody has any more. */
    private static final String CERTIFICATE =
            "MIIBNTCB3KADAgECAgkAkdHtEFmzsYUwCgYIKoZIzj0EAwIwDjEMMAoGA1UEAxMDYWRhMCAXDTI2MTEyNjA3NTM1N1"
                    + "oYDzIxMjYxMTAyMDc1MzU3WjAOMQwwCgYDVQQDEwNhZGEwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATJwgLgtn67"
                    + "jpGDs9b0HLYkrnSVQlj4HSuSi2webf5dA3CF+cVeEWIGlTRHbv8mb6LF7KyEHQ5bCxI3DrjGG24loyEwHzAdBgNVHQ"
                    + "4EFgQUI3cNYSikfF6VBZH+kOyOzCVTpjUwCgYIKoZIzj0EAwIDSAAwRQIhAKUab5VjGRiFis1L3S7G5XMYUAVHc2Un"
                    + "XZJVdQbHcj1bAiAc3nfFbK78OkYiXMoLdLud7axDWDzZr+UOqDcDAJ2fKA==";

    private JdkMakers() {}

    static Certificate certificate() throws Exception {
        byte[] encoded = Base64.getDecoder().decode(CERTIFICATE);
        return CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(encoded));
    }

    static CertPath certificates() throws Exception {
        return CertificateFactory.getInstance("X.509").generateCertPath(List.of(certificate()));
    }

    static KeyPair keys(String algorithm) throws Exception {
        return KeyPairGenerator.getInstance(algorithm).generateKeyPair();
    }

    static Object encodedKeys(Object keys) {
        KeyPair pair = (KeyPair) keys;
        return Arrays.toString(pair.getPublic().getEncoded())
                + Arrays.toString(pair.getPrivate().getEncoded());
    }

    static Object xmlDate() throws Exception {
        GregorianCalendar calendar = new GregorianCalendar(TimeZone.getTimeZone("UTC"));
        calendar.setTimeInMillis(1_700_000_000_123L);
        return DatatypeFactory.newInstance().newXMLGregorianCalendar(calendar);
    }

    static Document document(String text) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(text)));
    }

    static Object xml(Object document) {
        StringWriter text = new StringWriter();
        try {
            TransformerFactory.newInstance()
                    .newTransformer()
                    .transform(new DOMSource((Node) document), new StreamResult(text));
        } catch (TransformerException e) {
            throw new IllegalStateException(e);
        }
        return text.toString();
    }

    @SuppressWarnings("URLEqualsHashCode") // Applications do so.
    static Map<URL, Integer> urlsAsKeys() throws MalformedURLException {
        Map<URL, Integer> map = new HashMap<>();
        map.put(new URL("http://127.0.0.1/"), 1);
        return map;
    }

    private record Hears(String name) implements PropertyChangeListener, Serializable {

        private static final long serialVersionUID = 1L;

        @Override
        public void propertyChange(PropertyChangeEvent event) {}
    }

    static PropertyChangeSupport listenedTo() {
        PropertyChangeSupport support = new PropertyChangeSupport("bean");
        support.addPropertyChangeListener(new Hears("all"));
        support.addPropertyChangeListener("price", new Hears("price"));
        return support;
    }

    /** The source is transient. */
    static Object newValue(Object event) {
        return ((PropertyChangeEvent) event).getNewValue();
    }

    static Object listeners(Object support) {
        PropertyChangeSupport listened = (PropertyChangeSupport) support;
        return List.of(listened.getPropertyChangeListeners()).toString().replaceAll("@[0-9a-f]+", "")
                + List.of(listened.getPropertyChangeListeners("price"));
    }
}
