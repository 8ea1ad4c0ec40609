package io.understudy.tls;

import org.jspecify.annotations.Nullable;

/** Files with which this node could talk to nobody. The message names the setting, the file, what is wrong and the way out. */
public final class InvalidKeyStoreException extends Exception {

    private static final long serialVersionUID = 1L;

    InvalidKeyStoreException(String message, @Nullable Exception cause) {
        super(message, cause);
    }
}
