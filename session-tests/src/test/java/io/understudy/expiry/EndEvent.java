package io.understudy.expiry;

/**
 * What happens next in an {@link EndWorld}.
 *
 * @param from the member; of a message its sender, of a pull the one that answers
 * @param to twice the receiver of a message, and one more for a change; of a pull the one that asks
 */
record EndEvent(Act act, int from, int to) {

    enum Act {
        EXPIRE,
        INHERIT,
        LOG_OUT,
        USE,
        USED,
        SPARE,
        COME_LATE,
        LOOK,
        BEGIN,
        FINISH,
        GIVE_UP,
        PULL,
        DELIVER,
        LOSE,
        ENTER,
        WAIT,
        CHANGE
    }

    @Override
    public String toString() {
        return act + " " + from + " " + to;
    }
}
