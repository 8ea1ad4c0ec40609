package io.understudy.doctor.findings;

/**
 * Something that other nodes would not get as it is on this one. The text shows beginnings of values, such as numbers and
 * strings: treat it as what is in the session.
 *
 * @param application its name, and the node's
 * @param attribute the attribute's name, empty for a session as a whole, and for the application
 * @param bytes of the encoded attribute, or session; -1 if it can't be encoded
 * @param path where it was met first, from the attribute's name on
 * @param type the class to look at
 * @param text what was expected and what is
 */
public record Finding(
        String application, String attribute, int bytes, String path, Kind kind, String type, String text) {

    /** One line, with the way out. */
    @Override
    public String toString() {
        String whole = kind == Kind.LOCAL_REGISTRY ? "application" : "session";
        String what = attribute.isEmpty() ? whole : "attribute '" + attribute + "'";
        String size = bytes < 0 ? "" : " (" + bytes + " bytes)";
        return what + size + (path.isEmpty() ? "" : ", " + path) + ": " + text + " (" + kind + ", " + type + "); "
                + kind.wayOut();
    }
}
