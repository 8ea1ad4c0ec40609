package io.understudy.config;

/** How members reach each other. */
public enum Transport {
    /** UDP datagrams, multicast to the group. */
    UDP,
    /** Point-to-point TCP connections. */
    TCP
}
