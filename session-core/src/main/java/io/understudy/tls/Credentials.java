package io.understudy.tls;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.UnrecoverableKeyException;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/** A node's key and certificate, and whom it trusts, as two files had them at one moment. Immutable. */
final class Credentials {

    private static final String PROTOCOL = "TLSv1.3";

    /** What the JDK passes with TLS 1.3, which does not settle how keys are exchanged by certificates. */
    private static final String ANY = "UNKNOWN";

    private static final SecureRandom RANDOM = new SecureRandom();

    private final SingleKey key;
    private final X509Certificate[] chain;
    private final X509ExtendedTrustManager trusted;

    private Credentials(SingleKey key, X509Certificate[] chain, X509ExtendedTrustManager trusted) {
        this.key = key;
        this.chain = chain;
        this.trusted = trusted;
    }

    /**
     * @throws InvalidKeyStoreException if there is no key to use, nobody to be trusted, the certificate is not valid now, or members with the same files
     *     would refuse each other
     */
    static Credentials of(StoreFile keys, byte[] keyBytes, StoreFile trust, byte[] trustBytes)
            throws InvalidKeyStoreException {
        KeyStore own = keys.open(keyBytes);
        try {
            String alias = onlyKey(keys, own);
            Key key = key(keys, own, alias);
            Certificate[] shown = own.getCertificateChain(alias);
            if (!(key instanceof PrivateKey secret) || !(shown instanceof X509Certificate[] || allX509(shown))) {
                throw keys.unfit("whose entry '" + alias + "' is not a private key with an X.509 certificate", null);
            }
            X509Certificate[] chain = Arrays.copyOf(shown, shown.length, X509Certificate[].class);
            Credentials made =
                    new Credentials(new SingleKey(secret, chain), chain, trusted(trust, trust.open(trustBytes)));
            made.check(keys, trust);
            return made;
        } catch (GeneralSecurityException e) {
            throw keys.unfit("which this JDK can't use (" + e.getMessage() + ")", e);
        }
    }

    private static boolean allX509(Certificate... shown) {
        return shown != null && Arrays.stream(shown).allMatch(X509Certificate.class::isInstance);
    }

    private static String onlyKey(StoreFile keys, KeyStore own)
            throws GeneralSecurityException, InvalidKeyStoreException {
        List<String> aliases = new ArrayList<>();
        for (String alias : Collections.list(own.aliases())) {
            if (own.isKeyEntry(alias)) {
                aliases.add(alias);
            }
        }
        if (aliases.size() != 1) {
            throw keys.unfit(
                    "which has " + (aliases.isEmpty() ? "no key" : "the keys " + aliases)
                            + ": expected one key with its certificate",
                    null);
        }
        return aliases.get(0);
    }

    private static Key key(StoreFile keys, KeyStore own, String alias)
            throws GeneralSecurityException, InvalidKeyStoreException {
        try {
            return own.getKey(alias, keys.characters());
        } catch (UnrecoverableKeyException e) {
            throw keys.unfit(
                    "whose key '" + alias
                            + "' has another password than the file: give it the same (keytool -keypasswd)",
                    e);
        }
    }

    /** Of the certificates alone: the JDK would trust those of keys, too. */
    private static X509ExtendedTrustManager trusted(StoreFile trust, KeyStore store)
            throws GeneralSecurityException, InvalidKeyStoreException {
        KeyStore certificates = KeyStore.getInstance("PKCS12");
        try {
            certificates.load(null, null);
        } catch (IOException e) {
            throw new CertificateException(e);
        }
        for (String alias : Collections.list(store.aliases())) {
            if (store.isCertificateEntry(alias)) {
                certificates.setCertificateEntry(alias, store.getCertificate(alias));
            }
        }
        if (certificates.size() == 0) {
            throw trust.unfit(
                    "which has no trusted certificate that can be read with the given password: set '" + trust.setting()
                            + "Password' if it has one, and put certificates in with keytool -importcert (the JDK "
                            + "sees no certificate that openssl puts in without -jdktrust anyExtendedKeyUsage)",
                    null);
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
        factory.init(certificates);
        for (TrustManager manager : factory.getTrustManagers()) {
            if (manager instanceof X509ExtendedTrustManager found) {
                return found;
            }
        }
        throw new GeneralSecurityException("no trust manager for X.509");
    }

    /** Members have certificates of the same kind: who would be refused with its own by itself would be refused by all. */
    private void check(StoreFile keys, StoreFile trust) throws InvalidKeyStoreException {
        checkChain(keys, trust);
        try {
            HandshakeSelfTest.run(context(peer()), context(peer()));
        } catch (GeneralSecurityException | IOException e) {
            throw keys.unfit(
                    "with whose key and certificate (" + subject(chain) + ") a connection over " + PROTOCOL
                            + " can't be made: " + reason(e),
                    e);
        }
    }

    private void checkChain(StoreFile keys, StoreFile trust) throws InvalidKeyStoreException {
        for (boolean client : List.of(false, true)) {
            try {
                judge(chain, client);
            } catch (CertificateExpiredException e) {
                throw keys.unfit(
                        "whose certificate (" + subject(chain) + ") expired on " + ends() + ": use a valid certificate",
                        e);
            } catch (CertificateException e) {
                throw keys.unfit(
                        "whose certificate (" + subject(chain) + ") members with '" + trust.setting() + "' = '"
                                + trust.path() + "' would refuse " + (client ? "when it connects" : "when they connect")
                                + ": " + reason(e)
                                + ". It must lead to one of the certificates there, be valid now, and if it has "
                                + "extended key usages, have serverAuth and clientAuth",
                        e);
            }
        }
    }

    private void judge(X509Certificate[] shown, boolean client) throws CertificateException {
        PeerTrust judging = new PeerTrust(trusted);
        if (client) {
            judging.checkClientTrusted(shown, ANY);
        } else {
            judging.checkServerTrusted(shown, ANY);
        }
    }

    /** Whether somebody who showed this is let in now. */
    boolean trusts(X509Certificate[] shown, boolean client) {
        try {
            judge(shown, client);
            return true;
        } catch (CertificateException e) {
            return false;
        }
    }

    /** For one connection. */
    PeerTrust peer() {
        return new PeerTrust(trusted);
    }

    /**
     * TLS over a connected socket, before its handshake. Each connection has a context of its own: with a common one a later connection could resume an
     * earlier one's session, and its certificate would not be looked at.
     */
    SSLSocket layered(Socket connected, boolean client, PeerTrust peer) throws IOException {
        try {
            SSLSocket layered = (SSLSocket) context(peer)
                    .getSocketFactory()
                    .createSocket(connected, connected.getInetAddress().getHostAddress(), connected.getPort(), true);
            layered.setUseClientMode(client);
            layered.setSSLParameters(parameters(layered.getSSLParameters(), client));
            return layered;
        } catch (GeneralSecurityException e) {
            throw new IOException("TLS is not available: " + e.getMessage(), e);
        }
    }

    private SSLContext context(PeerTrust peer) throws GeneralSecurityException {
        // Of another provider's sockets it is not known when they ask for the streams below.
        SSLContext context = SSLContext.getInstance(PROTOCOL, "SunJSSE");
        context.init(new KeyManager[] {key}, new TrustManager[] {peer}, RANDOM);
        return context;
    }

    static SSLParameters parameters(SSLParameters usual, boolean client) {
        usual.setProtocols(new String[] {PROTOCOL});
        usual.setNeedClientAuth(!client);
        return usual;
    }

    /** When the first certificate of the chain ends that does. */
    Instant ends() {
        return Arrays.stream(chain)
                .map(each -> each.getNotAfter().toInstant())
                .min(Comparator.naturalOrder())
                .orElseThrow();
    }

    String subject() {
        return subject(chain);
    }

    /** Whose certificate it is, as it says itself, for people. */
    static String subject(X509Certificate... shown) {
        String name = shown[0].getSubjectX500Principal().getName().replaceAll("\\p{Cntrl}", "?");
        return name.length() <= 200 ? name : name.substring(0, 200) + "...";
    }

    /** Why a certificate is refused: what lies deepest says it best. */
    static String reason(Throwable refusal) {
        Throwable deepest = refusal;
        while (deepest.getCause() != null) {
            deepest = deepest.getCause();
        }
        String message = deepest.getMessage();
        return deepest instanceof CertificateExpiredException
                ? "it expired (" + message + ")"
                : message == null ? deepest.toString() : message.replaceAll("\\p{Cntrl}", "?");
    }
}
