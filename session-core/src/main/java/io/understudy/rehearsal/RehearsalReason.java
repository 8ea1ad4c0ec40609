package io.understudy.rehearsal;

import io.understudy.codec.NotDecodableException;
import io.understudy.metrics.Counter;
import java.lang.System.Logger.Level;
import java.util.Locale;

/** Why a node could not take over a session whole; the worst first. */
public enum RehearsalReason {
    STUCK(
            1,
            Counter.REHEARSALS_STUCK,
            "its decoding does not return. No rehearsal begins until it does; a request that reads it would wait as long."
                    + " Mend readObject, readResolve or the constructor of its class"),
    FAILED(
            2,
            Counter.REHEARSALS_FAILED,
            "the application's own code fails when it is decoded. Mend readObject, readResolve or the constructor of its class"),
    CLASS_MISSING(
            3,
            Counter.REHEARSALS_CLASS_MISSING,
            "a class is not on this node. Deploy the same version of the application here"),
    CLASS_REFUSED(
            4,
            Counter.REHEARSALS_CLASS_REFUSED,
            "this node refuses a class. Give it the attributeFilter and the attributeClasses of the other members"),
    CLASS_CHANGED(
            5,
            Counter.REHEARSALS_CLASS_CHANGED,
            "a class is another one than its writer's. Deploy the same version of the application here"),
    NOT_ENCODED(
            6,
            Counter.REHEARSALS_NOT_ENCODED,
            "it can be read here, but a change of it could not be sent to the other members. Give this node the settings of the"
                    + " other members, and the same version of the application"),
    FIELDS_LOST(
            7,
            Counter.REHEARSALS_FIELDS_LOST,
            "the class here lacks fields that have values. A change that this node makes is sent without them. Deploy the same"
                    + " version of the application here");

    /** Where no reason is. */
    static final int NONE = 0;

    private final int number;
    private final Counter counter;
    private final String meaning;

    RehearsalReason(int number, Counter counter, String meaning) {
        this.number = number;
        this.counter = counter;
        this.meaning = meaning;
    }

    /** In three bits, the worst first; never {@link #NONE}. */
    int number() {
        return number;
    }

    /** Whether sessions with this outcome may be tried again: another try of a stuck one could be stuck, too. */
    static boolean passing(int outcome) {
        return outcome > STUCK.number;
    }

    static RehearsalReason numbered(int number) {
        return values()[number - 1];
    }

    /** The level at which a cause is logged. An upgrade that adds fields is usual, and ends by itself. */
    Level level() {
        return this == FIELDS_LOST ? Level.INFO : Level.WARNING;
    }

    Counter counter() {
        return counter;
    }

    /** What it means, and the way out. */
    String meaning() {
        return meaning;
    }

    /** The name in text metrics. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    static RehearsalReason of(NotDecodableException.Reason reason) {
        return switch (reason) {
            case CLASS_MISSING -> CLASS_MISSING;
            case CLASS_REFUSED -> CLASS_REFUSED;
            case CLASS_CHANGED -> CLASS_CHANGED;
            case FAILED -> FAILED;
        };
    }
}
