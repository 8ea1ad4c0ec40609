package io.understudy.tls;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Shows the one certificate that there is, whatever issuers the peer says it knows: the JDK's own manager would show none then, and the peer could
 * tell of none what is wrong with it. Threads: any.
 */
final class SingleKey extends X509ExtendedKeyManager {

    private static final String ALIAS = "own";

    private final PrivateKey key;
    private final X509Certificate[] chain;

    SingleKey(PrivateKey key, X509Certificate... chain) {
        this.key = key;
        this.chain = chain.clone();
    }

    private @Nullable String own(String... types) {
        return List.of(types).contains(key.getAlgorithm()) ? ALIAS : null;
    }

    @Override
    public @Nullable String chooseClientAlias(String[] types, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return own(types);
    }

    @Override
    public @Nullable String chooseServerAlias(String type, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return own(type);
    }

    @Override
    public @Nullable String chooseEngineClientAlias(
            String[] types, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        return own(types);
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
            String type, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        return own(type);
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
        return alias.equals(ALIAS) ? chain.clone() : null;
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
        return alias.equals(ALIAS) ? key : null;
    }

    @Override
    public String @Nullable [] getClientAliases(String type, Principal @Nullable [] issuers) {
        return own(type) == null ? null : new String[] {ALIAS};
    }

    @Override
    public String @Nullable [] getServerAliases(String type, Principal @Nullable [] issuers) {
        return own(type) == null ? null : new String[] {ALIAS};
    }
}
