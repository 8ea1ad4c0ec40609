package io.understudy.tls;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** Judges the peer of one connection, and remembers who it was and why it was refused: the JDK's exceptions tell neither. Threads: one. */
final class PeerTrust extends X509ExtendedTrustManager {

    private final X509ExtendedTrustManager trusted;
    private X509Certificate[] shown = {};
    private boolean asClient;
    private @Nullable CertificateException refusal;

    PeerTrust(X509ExtendedTrustManager trusted) {
        this.trusted = trusted;
    }

    private interface Check {
        void run() throws CertificateException;
    }

    private void judge(X509Certificate[] chain, boolean client, Check check) throws CertificateException {
        shown = chain.clone();
        asClient = client;
        try {
            chain[0].checkValidity(); // The JDK does not look at it where the certificate itself is among the trusted
            // ones.
            check.run();
        } catch (CertificateException e) {
            refusal = e;
            throw e;
        }
    }

    /** What the peer showed; empty if nothing yet. */
    X509Certificate[] shown() {
        return shown.clone();
    }

    /** Whether it showed that as a client. */
    boolean asClient() {
        return asClient;
    }

    /** Why this node refuses that; {@code null} if it does not. */
    @Nullable
    CertificateException refusal() {
        return refusal;
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        judge(chain, true, () -> trusted.checkClientTrusted(chain, type, socket));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        judge(chain, false, () -> trusted.checkServerTrusted(chain, type, socket));
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        judge(chain, true, () -> trusted.checkClientTrusted(chain, type, engine));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        judge(chain, false, () -> trusted.checkServerTrusted(chain, type, engine));
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
        judge(chain, true, () -> trusted.checkClientTrusted(chain, type));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
        judge(chain, false, () -> trusted.checkServerTrusted(chain, type));
    }

    /** None are named to peers: they have one certificate each, and who asks learns nothing. */
    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }
}
