package io.understudy.demo.launcher.dashboard;

/** The little JSON that the dashboard writes. */
final class Json {

    private Json() {}

    /** A JSON string; everything but printable ASCII is escaped. */
    static String quote(String text) {
        StringBuilder json = new StringBuilder(text.length() + 2).append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c < ' ' || c > '~') {
                json.append(String.format("\\u%04x", (int) c));
            } else {
                json.append(c);
            }
        }
        return json.append('"').toString();
    }
}
