package io.understudy.junit.comparison;

/**
 * The first thing in a run that is not as it is on one node.
 *
 * @param request the request that it belongs to, with its method and path
 * @param node that answered
 * @param what is different
 * @param attribute the name of the attribute; empty if it is no attribute
 */
public record Discrepancy(
        Kind kind, String request, String node, String what, String attribute, String expected, String actual) {

    /** What differs, and what to do about it. */
    public enum Kind {
        /** The client sent something else, or nothing. */
        REQUEST("let the test send the same requests in each run"),
        /** The client got something else, although the session was the same. */
        RESPONSE(
                "the response depends on what the session does not hold, such as a static field, a field of a servlet or"
                        + " bean, the ServletContext, a transient field, an object's identity, or a file of the node: keep it in the"
                        + " session, or where all nodes reach it"),
        /** The other node has no such attribute. */
        ATTRIBUTE_LACKING(
                "let all objects of the attribute be Serializable, keep it below maxAttributeBytes, or keep only"
                        + " what it is made from in the session"),
        /** The other node has it otherwise. */
        ATTRIBUTE(
                "read or set the attribute in the request that changes its objects, and let their own serialization keep"
                        + " all that they have");

        private final String wayOut;

        Kind(String wayOut) {
            this.wayOut = wayOut;
        }

        String wayOut() {
            return wayOut;
        }
    }
}
