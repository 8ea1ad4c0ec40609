package io.understudy.checks;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The javadoc of public and protected types and members of a source file. */
final class Javadoc {

    private static final Pattern COMMENT =
            Pattern.compile("/\\*\\*(.*?)\\*/\\s*((?:@\\w+(?:\\([^)]*\\))?\\s+)*)([^\\n]*)", Pattern.DOTALL);
    private static final Pattern PUBLIC = Pattern.compile("(public|protected)\\b.*");
    private static final Pattern PUBLIC_INTERFACE = Pattern.compile("(?m)^public (sealed )?(@?interface|enum) ");
    private static final Pattern BREAK =
            Pattern.compile("<p>|<li>|</?[uo]l>|\\R\\s*\\*?\\s*\\R|(?m)^\\s*\\*?\\s*@\\w+");
    private static final Pattern PREFORMATTED = Pattern.compile("<pre>.*?</pre>", Pattern.DOTALL);
    private static final Pattern INLINE = Pattern.compile("\\{@(code|link|linkplain|value|literal)\\s+([^}]*)}");

    private Javadoc() {}

    static List<Markdown.Piece> pieces(String source) {
        boolean allPublic = PUBLIC_INTERFACE.matcher(source).find();
        List<Markdown.Piece> pieces = new ArrayList<>();
        Matcher comments = COMMENT.matcher(source);
        while (comments.find()) {
            String declaration = comments.group(3);
            if (PUBLIC.matcher(declaration).matches()
                    || (allPublic && !declaration.startsWith("private"))
                    || declaration.startsWith("package ")) {
                int line = 1
                        + (int) source.substring(0, comments.start())
                                .chars()
                                .filter(c -> c == '\n')
                                .count();
                for (String part :
                        BREAK.split(PREFORMATTED.matcher(comments.group(1)).replaceAll(" "), -1)) {
                    pieces.add(new Markdown.Piece(line, plain(part)));
                }
            }
        }
        return pieces;
    }

    private static String plain(String part) {
        String text = part.replaceAll("\\R\\s*\\*? ?", " ");
        return INLINE.matcher(text)
                .replaceAll(" `$1` ")
                .replaceAll("<[^>]*>", "")
                .strip();
    }
}
