package io.understudy.codec.classes;

import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.NotSerializableException;
import java.io.Serializable;
import java.net.MalformedURLException;
import java.net.Proxy;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A {@code java.net.URL} in a JDK stream: its parts as text. The URL that it becomes asks the network neither for its hash
 * code nor to be compared, also as a key of a map that is read. The JDK's own form does ({@code URLDNS} of ysoserial).
 *
 * @param host empty if there is none
 */
public record WrittenUrl(
        String protocol,
        @Nullable String userInfo,
        @Nullable String authority,
        String host,
        int port,
        @Nullable String path,
        @Nullable String query,
        @Nullable String ref,
        int defaultPort)
        implements Serializable {

    private static final long serialVersionUID = 1L;

    /** @throws NotSerializableException if its protocol has a text that the parts do not give */
    public static WrittenUrl of(URL url) throws NotSerializableException {
        if (url.getHost() == null) {
            throw new NotSerializableException("java.net.URL of protocol " + url.getProtocol() + ", without a host,");
        }
        WrittenUrl written = new WrittenUrl(
                url.getProtocol(),
                url.getUserInfo(),
                url.getAuthority(),
                url.getHost(),
                url.getPort(),
                url.getPath(),
                url.getQuery(),
                url.getRef(),
                url.getDefaultPort());
        String text;
        try {
            text = written.url().toExternalForm();
        } catch (MalformedURLException e) {
            throw new NotSerializableException("java.net.URL of protocol " + url.getProtocol() + ": " + e.getMessage());
        }
        if (!text.equals(url.toExternalForm())) {
            throw new NotSerializableException("java.net.URL of protocol " + url.getProtocol());
        }
        return written;
    }

    private URL url() throws MalformedURLException {
        return new URL(null, protocol + ":", new TextHandler(this));
    }

    private Object readResolve() throws InvalidObjectException {
        if (protocol == null || host == null) {
            throw new InvalidObjectException("expected a URL with a protocol and a host, found null");
        }
        try {
            return url();
        } catch (MalformedURLException e) {
            throw (InvalidObjectException)
                    new InvalidObjectException("expected a URL, found " + e.getMessage()).initCause(e);
        }
    }

    /** Compares by text, and connects as a URL of the same text that was made here. */
    private static final class TextHandler extends URLStreamHandler {

        private final WrittenUrl written;
        private boolean made;

        TextHandler(WrittenUrl written) {
            this.written = written;
        }

        /** The first call is of the constructor of the URL itself, later ones are of URLs that are relative to it. */
        @Override
        protected void parseURL(URL url, String spec, int start, int limit) {
            if (made) {
                super.parseURL(url, spec, start, limit);
                return;
            }
            made = true;
            setURL(
                    url,
                    written.protocol,
                    written.host,
                    written.port,
                    written.authority,
                    written.userInfo,
                    written.path,
                    written.query,
                    written.ref);
        }

        @Override
        protected URLConnection openConnection(URL url) throws IOException {
            return new URL(url.toExternalForm()).openConnection();
        }

        @Override
        protected URLConnection openConnection(URL url, Proxy proxy) throws IOException {
            return new URL(url.toExternalForm()).openConnection(proxy);
        }

        @Override
        protected int getDefaultPort() {
            return written.defaultPort;
        }

        @Override
        protected int hashCode(URL url) {
            return url.toExternalForm().hashCode();
        }

        @Override
        protected boolean equals(URL one, URL other) {
            return one.toExternalForm().equals(other.toExternalForm());
        }

        @Override
        protected boolean sameFile(URL one, URL other) {
            return Objects.equals(one.getProtocol(), other.getProtocol())
                    && Objects.equals(one.getFile(), other.getFile())
                    && hostsEqual(one, other)
                    && port(one) == port(other);
        }

        private static int port(URL url) {
            return url.getPort() < 0 ? url.getDefaultPort() : url.getPort();
        }

        @Override
        protected boolean hostsEqual(URL one, URL other) {
            return one.getHost().equalsIgnoreCase(other.getHost());
        }
    }
}
