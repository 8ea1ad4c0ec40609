package io.understudy.metrics;

import java.util.Locale;

/** What a node counts since it started. */
public enum Counter {
    DELTAS_SENT("Changes sent to the other members."),
    BYTES_SENT("Bytes of changes sent, before the transport's own."),
    DELTAS_RECEIVED("Changes received from other members and merged."),
    BYTES_RECEIVED("Bytes of changes received."),
    CHANGES_NOT_SENT(
            "Changes that could not be sent at once as something failed here: not held by others until they are sent again, or compared."),
    CHANGES_NOT_TAKEN(
            "Changes of other members that could not be read or merged here: acknowledged as not held, and pulled or compared later."),
    TOUCHES_SENT("Uses of sessions sent without a change."),
    SESSIONS_ANNOUNCED("New sessions without attributes, told of with others instead of sent by themselves."),
    ANNOUNCEMENTS_SENT("Messages in which that was done."),
    SESSIONS_ENDED_FOR_ROOM(
            "Sessions without attributes that no other node knew, ended early as `maxMemory` was reached."),
    RESPONSES_ACKNOWLEDGED("Coherent commits that every ready member holds."),
    RESPONSES_DEGRADED("Coherent commits that not every ready member held when their response left."),
    RESPONSES_PARTLY_ACKNOWLEDGED("Of the degraded ones, those that as many members held as `acks` asks for."),
    REQUESTS_WAITED_FOR_VERSION("Requests whose client had seen more of its session than was here when they came."),
    REQUESTS_BEHIND("Of these, those that were served without it, as it did not come in time."),
    REQUESTS_NOT_WAITING(
            "Requests that did not wait, as `maxWaitingRequests` others waited for other members or a session's lock: answered with 503, or a logout that went on."),
    SESSIONS_LOOKED_UP("Ids without a session on this node for which the other members were asked."),
    SESSIONS_FETCHED("Of these, those that another member had a session of, which is here now."),
    QUESTIONS_UNANSWERED(
            "Times a ready member did not say within 500 ms whether it has a session that no other one was told of."),
    SESSIONS_PULLED("Sessions pulled while joining or reconciling."),
    SESSIONS_UNREADABLE(
            "Sessions of other members, or of a file, that could not be read here and were left out, each time."),
    SESSIONS_RESTORED("Sessions and tombstones of an earlier run, brought back from a file."),
    SESSIONS_REFUSED("Sessions that came back after their end was forgotten here, and were ended anew."),
    SESSIONS_UNITED("Sessions with the id of another one, which took over what they held."),
    SESSIONS_SPILLED("Sessions whose attributes went to disk, each time."),
    SESSIONS_RECALLED("Sessions whose attributes came back from disk to stay, each time."),
    SPILL_ERRORS("Failures of the disk: the session stays in memory, or is pulled from another member."),
    STAMPS_SHARED("Attributes that came with the stamp of another value."),
    SESSIONS_EXPIRED("Sessions this node expired."),
    SESSIONS_INVALIDATED("Sessions invalidated on this node."),
    ENDS_CLAIMED("Sessions this node claimed to end, which the other members vote on."),
    ENDS_VETOED(
            "Claims of this node that another member voted down, as it knew of a later use, or ended the session itself."),
    ENDS_UNCONFIRMED("Invalidations that went on although not every member had answered in time."),
    ENDS_FIRED("Sessions whose end this node told its listeners."),
    ENDS_INHERITED("Of these, those that a member which is gone had claimed: it may have told listeners before."),
    ATTRIBUTES_NOT_REPLICATED(
            "Attribute values that stayed on this node as they, or their names, can't be encoded, or are too large."),
    ATTRIBUTES_NOT_DECODED("Attribute values that were asked for and can't be decoded here, each once; kept as bytes."),
    ATTRIBUTES_COMPARED("Mutable attributes that a request read, encoded at its end to see whether they changed."),
    ATTRIBUTES_CHANGED_IN_PLACE("Attributes that changed without setAttribute."),
    ATTRIBUTES_KEPT_CHANGING("Attributes whose last good bytes were kept as they changed during encoding."),
    ATTRIBUTES_ENDED_BY_FLOOR(
            "Attribute values that ended when another node gave up more than 256 removals that this node did not know."),
    LOCKS_GRANTED("Session locks given to requests of this node."),
    LOCKS_TIMED_OUT("Requests that did not get the session's lock in time."),
    MEMBERS_SUSPECTED("Times a member was suspected: its connection was closed, or it was silent. It is asked then."),
    MEMBERS_LOST_CLOSED("Members that left the view as their connection was closed: their process ended."),
    MEMBERS_LOST_SILENT(
            "Members that left the view as nothing was heard of them: host or network down, or a frozen process."),
    MEMBERS_PAUSED("Times a member was silent for 1.5 s and more, and was heard again before it was suspected."),
    FAILURES_SURVIVED("Failures in threads of this node, which went on. Each cause is in the log once."),
    THREADS_STUCK(
            "Times something that must not stand still did for ten seconds and more. The node is not ready meanwhile."),
    THREADS_RESTARTED("Threads of this node that had ended, and were begun again."),
    FRAMES_REJECTED("Frames of other members that could not be read."),
    FRAMES_REFUSED_LENGTH("Sealed frames, or what came instead, too short, or too long to be read."),
    FRAMES_REFUSED_UNSEALED("Frames without a seal, which came to this node with a secret."),
    FRAMES_REFUSED_VERSION("Frames with a version of the seal that this node does not read."),
    FRAMES_REFUSED_SECRET("Frames sealed with another secret, or for another cluster."),
    FRAMES_REFUSED_ALTERED("Frames that are not as they were sealed."),
    FRAMES_REFUSED_MISDIRECTED("Sealed frames that a member sent to another protocol."),
    FRAMES_REFUSED_REPLAYED("Sealed frames that came before."),
    FRAMES_REFUSED_LATE(
            "Sealed frames from before their sender was known here, or too old to know whether they came before."),
    FRAMES_REFUSED_UNPROVEN(
            "Sealed frames of a sender that had not shown yet that it is alive now: a few with each join."),
    HANDSHAKES_REFUSED_CERTIFICATE(
            "TLS connections that this node refused, as it does not trust the other side's certificate."),
    HANDSHAKES_REFUSED_THERE(
            "TLS connections that the other side refused: mostly it does not trust this node's certificate."),
    HANDSHAKES_REFUSED_UNENCRYPTED("Connections of who does not talk TLS, which came to this node with certificates."),
    HANDSHAKES_REFUSED_LATE("TLS connections that were not agreed on within 2 s."),
    HANDSHAKES_REFUSED_BROKEN("TLS connections that ended before they were agreed on."),
    CONNECTIONS_DISTRUSTED("TLS connections closed as their other side's certificate was no longer trusted.");

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
