package io.understudy.config;

import java.util.Map;

/**
 * The files by whose certificates members know each other. Each component is described by its {@link Setting}, and passwords are themselves, not their files.
 *
 * @param keyStore empty if the traffic does not go over TLS
 * @param trustStorePassword empty if that file has none
 */
public record Tls(String keyStore, String keyStorePassword, String trustStore, String trustStorePassword) {

    static Tls read(SettingReader read) {
        Tls tls = new Tls(
                read.path(Setting.TLS_KEY_STORE, "/etc/understudy/key.p12"),
                Secrets.value(read, Setting.TLS_KEY_STORE_PASSWORD),
                read.path(Setting.TLS_TRUST_STORE, "/etc/understudy/trust.p12"),
                Secrets.value(read, Setting.TLS_TRUST_STORE_PASSWORD));
        together(
                Setting.TLS_KEY_STORE,
                tls.keyStore,
                Setting.TLS_TRUST_STORE,
                tls.trustStore,
                "the file with the certificates whose holders are let in");
        together(
                Setting.TLS_TRUST_STORE,
                tls.trustStore,
                Setting.TLS_KEY_STORE,
                tls.keyStore,
                "the file with this node's key and certificate");
        together(
                Setting.TLS_KEY_STORE_PASSWORD,
                tls.keyStorePassword,
                Setting.TLS_KEY_STORE,
                tls.keyStore,
                "the file that it opens");
        together(
                Setting.TLS_TRUST_STORE_PASSWORD,
                tls.trustStorePassword,
                Setting.TLS_TRUST_STORE,
                tls.trustStore,
                "the file that it opens");
        together(
                Setting.TLS_KEY_STORE,
                tls.keyStore,
                Setting.TLS_KEY_STORE_PASSWORD,
                tls.keyStorePassword,
                "the password of that file and of the key in it");
        if (tls.given()) {
            tls.refuseOthers(read);
        }
        return tls;
    }

    /** Neither value is shown: one may be a password. */
    private static void together(Setting given, String value, Setting needed, String other, String what) {
        if (!value.isEmpty() && other.isEmpty()) {
            throw new ConfigException("setting '" + given.key() + "' is set, but '" + needed.key()
                    + "' is not: set it to " + what + ", or remove both");
        }
    }

    private void refuseOthers(SettingReader read) {
        String set = "setting 'tlsKeyStore' is '" + keyStore + "', ";
        if (!(read.text(Setting.SECRET) + read.text(Setting.FORMER_SECRET)).isEmpty()) {
            throw new ConfigException(set + "but 'secret' is set, too: either TLS or a secret protects the traffic. "
                    + "Remove one of them");
        }
        if (!read.text(Setting.JGROUPS_STACK).isEmpty()) {
            throw new ConfigException(
                    set + "but 'jgroupsStack' is set, too, which configures the transport completely: remove one of "
                            + "them. With your own stack, 'secret' protects the traffic");
        }
        if (read.choice(Setting.TRANSPORT, Transport.class) == Transport.UDP) {
            throw new ConfigException(set
                    + "but 'transport' is 'udp', which does not support TLS: set it to 'tcp', or set 'secret' "
                    + "in place of 'tlsKeyStore' and 'tlsTrustStore'");
        }
    }

    /** Whether the traffic goes over TLS. */
    public boolean given() {
        return !keyStore.isEmpty();
    }

    /** What {@link #read} reads. */
    Map<Setting, String> asText() {
        return Map.of(
                Setting.TLS_KEY_STORE, keyStore,
                Setting.TLS_KEY_STORE_PASSWORD, keyStorePassword,
                Setting.TLS_TRUST_STORE, trustStore,
                Setting.TLS_TRUST_STORE_PASSWORD, trustStorePassword);
    }

    /** Without the passwords: settings are logged. */
    @Override
    public String toString() {
        return given() ? "Tls[keyStore=" + keyStore + ", trustStore=" + trustStore + "]" : "Tls[none]";
    }
}
