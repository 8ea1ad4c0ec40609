package io.understudy.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.UnrecoverableKeyException;
import org.jspecify.annotations.Nullable;

/**
 * A file with keys or certificates, in PKCS12 or JKS.
 *
 * @param setting by which messages name it
 * @param password empty if there is none
 */
public record StoreFile(String setting, String path, String password) {

    /** In bytes: a larger file is another one. */
    private static final int MAX_BYTES = 1 << 20;

    private static final int JKS_MAGIC = 0xFEEDFEED;

    byte[] read() throws InvalidKeyStoreException {
        try (InputStream in = Files.newInputStream(Path.of(path))) {
            byte[] bytes = in.readNBytes(MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                throw unfit("which has more than " + MAX_BYTES + " bytes: expected a PKCS12 or JKS file", null);
            }
            return bytes;
        } catch (IOException | InvalidPathException e) {
            throw unfit("which can't be read (" + e + "): make it readable by this process, or name another", e);
        }
    }

    KeyStore open(byte[] bytes) throws InvalidKeyStoreException {
        boolean jks = bytes.length >= Integer.BYTES && ByteBuffer.wrap(bytes).getInt() == JKS_MAGIC;
        try {
            KeyStore store = KeyStore.getInstance(jks ? "JKS" : "PKCS12");
            store.load(new ByteArrayInputStream(bytes), password.isEmpty() ? null : characters());
            return store;
        } catch (IOException e) {
            throw e.getCause() instanceof UnrecoverableKeyException
                    ? unfit("which '" + setting + "Password' does not open: set that to its password", e)
                    : unfit("which is not a complete PKCS12 or JKS file (" + e.getMessage() + ")", e);
        } catch (GeneralSecurityException e) {
            throw unfit("which this JDK can't read (" + e.getMessage() + "): create it with this JDK's keytool", e);
        }
    }

    char[] characters() {
        return password.toCharArray();
    }

    InvalidKeyStoreException unfit(String why, @Nullable Exception cause) {
        return new InvalidKeyStoreException("setting '" + setting + "' names '" + path + "', " + why, cause);
    }

    /** Without the password. */
    @Override
    public String toString() {
        return setting + "=" + path;
    }
}
