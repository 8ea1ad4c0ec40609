package io.understudy.tls;

import java.time.Instant;

/** Is told what becomes of connections and certificates. Threads: any; implementations return at once. */
public interface TlsEvents {

    /** A connection was not made. */
    void failed(HandshakeFailure failure);

    /** A connection was closed as its peer's certificate is not trusted any more. */
    void distrusted(String peer, String subject);

    /** Other files are in force. */
    void exchanged(String subject, Instant ends);

    /** The files changed, and can't be used: the former ones stay in force. Told once for each cause. */
    void unfit(UnfitStoreException why);

    /** The node's own certificate ends soon, or has ended. Told once a day. */
    void ending(String subject, Instant ends);
}
