package io.understudy.tls;

import java.time.Instant;

/** Gets what becomes of connections and certificates. Threads: any; implementations return at once. */
public interface TlsEvents {

    /** A connection was not made. */
    void failed(HandshakeFailure failure);

    /** A connection was closed as its peer's certificate is not trusted any more. */
    void distrusted(String peer, String subject);

    /** Other files are in force. */
    void exchanged(String subject, Instant ends);

    /** The files changed, and can't be used: the former ones stay in force. Called once for each cause. */
    void unfit(InvalidKeyStoreException why);

    /** The node's own certificate ends soon, or has ended. Called once a day. */
    void ending(String subject, Instant ends);
}
