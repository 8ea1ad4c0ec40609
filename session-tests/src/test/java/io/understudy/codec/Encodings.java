package io.understudy.codec;

import java.util.ArrayList;
import java.util.List;

/** What became of the encodings of a value that was changed meanwhile. */
final class Encodings {

    private final Changing value;
    private final List<String> undecodable = new ArrayList<>();
    private final List<String> torn = new ArrayList<>();
    private int good;
    private int kept;

    Encodings(Changing value) {
        this.value = value;
    }

    void judge(Object decoded) {
        String complaint = value.complaint(decoded);
        if (complaint.isEmpty()) {
            good++;
        } else {
            torn.add(complaint);
        }
    }

    void keep() {
        kept++;
    }

    void undecodable(Exception failure) {
        undecodable.add(failure.toString());
    }

    int good() {
        return good;
    }

    int kept() {
        return kept;
    }

    int bad() {
        return undecodable.size() + torn.size();
    }

    @Override
    public String toString() {
        return value + ": of " + (good + kept + bad()) + " encodings " + good + " are good, " + kept
                + " were kept changing, " + undecodable.size() + " are undecodable, " + torn.size() + " torn "
                + undecodable + torn;
    }
}
