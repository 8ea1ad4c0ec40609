package io.understudy.metrics;

import java.util.Locale;

/** What a node counts since it started. */
public enum Counter {
    DELTAS_SENT("Changes sent to the other members."),
    BYTES_SENT("Bytes of changes sent, before the transport's own."),
    DELTAS_RECEIVED("Changes received from other members and merged."),
    BYTES_RECEIVED("Bytes of changes received."),
    CHANGES_NOT_SENT(
            "Changes that could not be sent at once because of a failure on this node. Other members hold them after "
                    + "a later send or comparison."),
    CHANGES_NOT_TAKEN(
            "Changes of other members that this node could not read or merge. It acknowledges them as not held, and "
                    + "pulls or compares them later."),
    TOUCHES_SENT("Uses of sessions sent without a change."),
    SESSIONS_ANNOUNCED("New sessions without attributes, announced together with others."),
    ANNOUNCEMENTS_SENT("Messages with such announcements."),
    SESSIONS_ENDED_FOR_ROOM(
            "Sessions without attributes that no other node knew, ended early because `maxMemory` was reached."),
    RESPONSES_ACKNOWLEDGED("Coherent commits that every ready member holds."),
    RESPONSES_DEGRADED("Coherent commits that not every ready member held when their response left."),
    RESPONSES_PARTLY_ACKNOWLEDGED("Degraded commits that as many members held as `acks` asks for."),
    REQUESTS_WAITED_FOR_VERSION(
            "Requests whose client had seen more of its session than this node had when they arrived."),
    REQUESTS_BEHIND("Such requests that were served without it, because it did not arrive in time."),
    REQUESTS_NOT_WAITING(
            "Requests that could not wait because `maxWaitingRequests` others did: they were answered with "
                    + "503, or went on without waiting."),
    SESSIONS_LOOKED_UP("Session ids unknown to this node that it asked the other members for."),
    SESSIONS_FETCHED("Such ids whose session another member had. This node has it now."),
    QUESTIONS_UNANSWERED(
            "Times that a ready member did not answer within 500 ms whether it has an unannounced session."),
    SESSIONS_PULLED("Sessions pulled while joining or reconciling."),
    SESSIONS_UNREADABLE(
            "Sessions of other members, or of a file, that this node could not read and left out, each time."),
    SESSIONS_RESTORED("Sessions and tombstones of an earlier run, brought back from a file."),
    SESSIONS_REFUSED("Sessions that came back after this node had forgotten their end, and were ended again."),
    SESSIONS_UNITED("Sessions that took over the contents of another session with the same id."),
    SESSIONS_SPILLED("Sessions whose attributes went to disk, each time."),
    SESSIONS_RECALLED("Sessions whose attributes came back from disk to stay, each time."),
    SPILL_ERRORS("Failures of the disk. The session stays in memory, or is pulled from another member."),
    STAMPS_SHARED(
            "Attributes that arrived with the logical time of another value: a defect, to be reported to the developers."),
    SESSIONS_EXPIRED("Sessions that this node expired."),
    SESSIONS_INVALIDATED("Sessions invalidated on this node."),
    ENDS_CLAIMED("Ends of sessions that this node claimed. The other members vote on a claim."),
    ENDS_VETOED("Claims of this node that another member voted down, because of a later use or because it ended the "
            + "session itself."),
    ENDS_UNCONFIRMED("Invalidations that went on although not every member had answered in time."),
    ENDS_FIRED("Sessions whose end this node reported to listeners."),
    ENDS_INHERITED("Such ends that a departed member had claimed. It may have called listeners before."),
    ENDS_FOLLOWED("Ends on other nodes that this node reported to its own listeners, with `endEvents = everywhere`."),
    ATTRIBUTES_NOT_REPLICATED(
            "Attribute values that stayed on this node because they, or their names, cannot be encoded or are too "
                    + "large."),
    ATTRIBUTES_REFUSED(
            "Values that `setAttribute` refused with `onNotReplicable = fail`, as they cannot be replicated."),
    ATTRIBUTES_NOT_DECODED(
            "Attribute values that a request read and this node cannot decode, each once. They are kept as bytes."),
    REHEARSALS("Attribute values of other members' sessions that this node decoded in a rehearsal."),
    REHEARSALS_STUCK("Rehearsed values whose decoding did not return within 10 s. No rehearsal begins until it does."),
    REHEARSALS_FAILED("Rehearsed values whose own code failed, or that found too little memory."),
    REHEARSALS_CLASS_MISSING("Rehearsed values with a class that is not on this node."),
    REHEARSALS_CLASS_REFUSED("Rehearsed values with a class that the filter of this node refuses."),
    REHEARSALS_CLASS_CHANGED("Rehearsed values with a class that differs from the writer's."),
    REHEARSALS_NOT_ENCODED("Rehearsed values that this node cannot encode for the other members."),
    REHEARSALS_FIELDS_LOST(
            "Rehearsed values with fields that the class on this node lacks. A change here is sent without them."),
    ATTRIBUTES_COMPARED("Mutable attributes that a request read, and that were encoded at its end to find changes."),
    ATTRIBUTES_CHANGED_IN_PLACE("Attributes that changed without setAttribute."),
    ATTRIBUTES_KEPT_CHANGING("Attributes whose last good bytes were kept because they changed during encoding."),
    ATTRIBUTES_ENDED_BY_FLOOR(
            "Attribute values of this node that were lost because another node had removed hundreds of attributes of "
                    + "the session meanwhile."),
    LOCKS_GRANTED("Session locks granted to requests of this node."),
    LOCKS_TIMED_OUT("Requests that did not get the session's lock in time."),
    MEMBERS_SUSPECTED(
            "Times that a member was suspected, because its connection was closed or it was silent. Suspected members "
                    + "are queried."),
    MEMBERS_LOST_CLOSED("Members that left the view after their connection was closed: their process ended."),
    MEMBERS_LOST_SILENT("Members that left the view after a silence: host or network down, or a frozen process."),
    MEMBERS_PAUSED("Times that a member was silent for 1.5 s or more, and sent again before it was suspected."),
    FAILURES_SURVIVED("Failures in threads of this node, which went on. Each cause is in the log once."),
    THREADS_STUCK("Times that a thread or task stood still for ten seconds or more. The node is not ready meanwhile."),
    THREADS_RESTARTED("Threads of this node that had ended and were replaced."),
    FRAMES_REJECTED("Frames of other members that this node could not read."),
    FRAMES_REFUSED_LENGTH("Frames that are too short or too long."),
    FRAMES_REFUSED_UNSEALED("Frames without a seal that arrived at this node with a secret."),
    FRAMES_REFUSED_VERSION("Frames with a version of the seal that this node does not read."),
    FRAMES_REFUSED_SECRET("Frames sealed with another secret, or for another cluster."),
    FRAMES_REFUSED_ALTERED("Frames that were changed after they were sealed."),
    FRAMES_REFUSED_MISDIRECTED("Sealed frames that a member sent to another protocol."),
    FRAMES_REFUSED_REPLAYED("Sealed frames that arrived before."),
    FRAMES_REFUSED_LATE(
            "Sealed frames from before this node knew their sender, or too old to find out whether they arrived "
                    + "before."),
    FRAMES_REFUSED_UNPROVEN("Sealed frames of a sender that had not yet proven that it is alive. Each join has a few."),
    HANDSHAKES_REFUSED_CERTIFICATE(
            "TLS connections that this node refused because it does not trust the other side's certificate."),
    HANDSHAKES_REFUSED_THERE(
            "TLS connections that the other side refused. Usually it does not trust this node's certificate."),
    HANDSHAKES_REFUSED_UNENCRYPTED("Plaintext connections rejected by this node, which has certificates."),
    HANDSHAKES_REFUSED_LATE("TLS connections whose handshake took more than 2 s."),
    HANDSHAKES_REFUSED_BROKEN("TLS connections that ended during their handshake."),
    CONNECTIONS_DISTRUSTED("TLS connections closed because the other side's certificate is no longer trusted.");

    private final String description;

    Counter(String description) {
        this.description = description;
    }

    /** One sentence for the reference. */
    public String description() {
        return description;
    }

    /** The name in text metrics, without prefix. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }
}
