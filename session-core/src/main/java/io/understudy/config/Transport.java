package io.understudy.config;

/** How members reach each other. */
public enum Transport {
    /** TCP, and UDP multicast to the members that confirm it; decided anew all the time. */
    AUTO,
    /** UDP datagrams, multicast to the group. */
    UDP,
    /** Point-to-point TCP connections. */
    TCP
}
