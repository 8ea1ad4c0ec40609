package io.understudy.config;

/** How the traffic between members is protected. */
public enum Security {
    /** No protection, and therefore loopback only. */
    LOOPBACK,
    /** Sealed with the cluster's secret, on any interface. */
    SECRET,
    /** TLS with certificates on both sides, on any interface. */
    TLS,
    /** No protection on any interface: everybody in that network can read and write all sessions. */
    NONE
}
