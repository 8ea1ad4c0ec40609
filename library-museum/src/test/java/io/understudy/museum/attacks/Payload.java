package io.understudy.museum.attacks;

import java.util.concurrent.Callable;

/**
 * One published chain with a harmless end.
 *
 * @param chain as its authors call it
 * @param decisive the class, by name, that the chain can't do without
 * @param plain how far the JDK alone gets with it
 * @param why it gets no further; empty if the chain runs to its end
 */
record Payload(String chain, String decisive, Plain plain, String why, Callable<?> maker) {

    /** What the JDK does with the bytes without a filter. */
    enum Plain {
        /** The chain runs, and touches the canary. */
        RUNS,
        /** The decisive class is loaded; the JDK or the library stops the chain afterwards. */
        LOADS,
        /** The decisive class is loaded, and the test stops there: its objects would use the network. */
        ENDED
    }

    static Payload runs(String chain, String decisive, Callable<?> maker) {
        return new Payload(chain, decisive, Plain.RUNS, "", maker);
    }

    static Payload loads(String chain, String decisive, String why, Callable<?> maker) {
        return new Payload(chain, decisive, Plain.LOADS, why, maker);
    }

    static Payload ended(String chain, String decisive, String why, Callable<?> maker) {
        return new Payload(chain, decisive, Plain.ENDED, why, maker);
    }

    /** As an attribute of the JDK's form. */
    byte[] attribute() throws Exception {
        byte[] stream = stream();
        byte[] attribute = new byte[stream.length + 1];
        attribute[0] = 1;
        System.arraycopy(stream, 0, attribute, 1, stream.length);
        return attribute;
    }

    byte[] stream() throws Exception {
        return PayloadStream.bytes(maker.call());
    }

    @Override
    public String toString() {
        return chain;
    }
}
