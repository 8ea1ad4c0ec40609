package io.understudy.testkit.netns;

import java.util.Locale;

/**
 * Something wrong with a {@link Network}, until it is closed. Faults add up.
 *
 * <p>Threads: any.
 */
public final class Fault implements AutoCloseable {

    /**
     * What one host does with packets that arrive, in the language of nftables.
     *
     * @param fragments whether it sees the fragments of IP packets, and not what they were put together to
     */
    record Rule(int host, String text, boolean fragments) {

        Rule(int host, String text) {
            this(host, text, false);
        }
    }

    /** Shares are told apart to a hundredth of a percent. */
    private static final int WHOLE = 10_000;

    private final Network network;
    private final String what;

    Fault(Network network, String what) {
        this.network = network;
        this.what = what;
    }

    static Rule loss(int host, double percent) {
        return new Rule(host, "iif != lo " + share(percent));
    }

    static Rule udpLoss(int host, double percent) {
        return new Rule(host, "meta l4proto udp " + share(percent));
    }

    private static String share(double percent) {
        return String.format(Locale.ROOT, "numgen random mod %d < %d drop", WHOLE, Math.round(percent * WHOLE / 100));
    }

    /** Ends it. */
    @Override
    public void close() {
        network.heal(this);
    }

    @Override
    public String toString() {
        return what;
    }
}
