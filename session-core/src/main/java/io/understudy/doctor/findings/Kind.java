package io.understudy.doctor.findings;

/** What is wrong with an object in a session, or with what an application knows of its sessions. */
public enum Kind {
    /** It can't be encoded: the whole attribute stays on this node. */
    NOT_ENCODED("let it be Serializable, make the field transient, or keep it out of the session"),
    /** Other nodes could not decode what was encoded: there the whole attribute reads as absent. */
    NOT_DECODED("let its own readObject or readResolve accept what its writeObject or writeReplace wrote"),
    /** Objects nest deeper than can be decoded: the whole attribute stays on this node. */
    TOO_DEEP("keep them in a list instead of a chain"),
    /** Other nodes get something else. */
    DIFFERENT("let its own serialization keep it, or make the field transient if it is meant to be lost"),
    /** One object in the attribute is two on other nodes. */
    SPLIT("let its own serialization keep the object instead of a copy"),
    /** A hash set or hash map whose elements or keys can't be found on other nodes. */
    NOT_FOUND("base equals and hashCode on fields that are not transient, that do not change and that hold no cycle"),
    /** A transient field has a value here, and none on other nodes. A note: mostly it is meant. */
    TRANSIENT("make it anew when it is null, or in readObject"),
    /** Two attributes hold one object that can change: on other nodes each has its own. */
    SHARED("keep it in one of them, or both in one attribute"),
    /** It is not as it was replicated last, and nothing will be sent before its attribute is read or set again. */
    UNNOTICED("read or set the attribute in the request that changes it, before its response ends"),
    /** It is near a limit, or above: then it stays on this node. */
    LARGE("keep only keys to large data in the session, or raise the limit"),
    /** A registry of sessions in this node's memory, which does not receive ends of other nodes. The application has it. */
    LOCAL_REGISTRY(
            "set endEvents = everywhere, then each node counts the logins that it handled; to count those of all "
                    + "nodes, give Spring Security a SessionRegistry that the nodes share");

    private final String wayOut;

    Kind(String wayOut) {
        this.wayOut = wayOut;
    }

    /** What to do about it. */
    public String wayOut() {
        return wayOut;
    }
}
