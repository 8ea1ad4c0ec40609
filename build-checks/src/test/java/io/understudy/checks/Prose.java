package io.understudy.checks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Plain English, as far as patterns can tell: short sentences, and none of the habits that make the actor hard to find. */
final class Prose {

    static final int MOST_WORDS = 35;
    static final int COLUMNS = 120;

    /** What makes a sentence hard to read, and what to write in its place. */
    private enum Habit {
        RELATIVE_CLAUSE(
                "^(Who|Whoever|Whom)\\b(?!.*\\?$)|[,;:] (who|whoever) (is|was|has|does|knows|asks|comes|goes)\\b"
                        + "|\\b(of|by|with|from|to|for|at|than) (who|whom|whoever)\\b|\\b[Ww]hoever\\b"
                        + "|\\b[Ww]hat (is|was|are|were) (asked|told|said|heard|here|there|gone)\\b",
                "name the member, node, client or request"),
        OF_IN_FRONT(
                "^Of (a|an|the|these|those|this|all|both|two|such|what|it|them|each|any|its|members|sessions)\\b",
                "begin with the actor"),
        TALKING_MACHINE(
                "\\b([Ss]ays?|[Ss]aid|[Tt]ells?|[Tt]old|[Hh]ears?|[Hh]eard)\\b",
                "announce, report, receive, query, log"),
        VAGUE_PASSIVE(
                "\\b(is|are|was|were|has|have) to be\\b|\\b[Tt]hat one\\b|\\bthe other way round\\b",
                "name the actor, and the thing"),
        HISTORY(
                "^(It|They) (was|were|stood|left|took|waited|hung|lost)\\b|^Before, ",
                "write what it does, not what it did before");

        private final Pattern pattern;
        private final String instead;

        Habit(String pattern, String instead) {
            this.pattern = Pattern.compile(pattern);
            this.instead = instead;
        }
    }

    private static final Pattern LINK = Pattern.compile("!?\\[([^\\]]*)]\\([^)]*\\)");
    private static final Pattern CODE = Pattern.compile("`[^`]*`");
    private static final Pattern MARKS =
            Pattern.compile("\\*\\*|^\\s*([-*]|\\d+\\.)\\s+|(?<=\\W)\\*(?=\\w)|(?<=\\w)\\*(?=\\W)");
    private static final Pattern SENTENCES = Pattern.compile("(?<=[.!?][\"')]?)\\s+(?=[\\p{Lu}`\"'(])");
    private static final Pattern WORD = Pattern.compile(".*[\\p{L}\\p{N}`].*");

    private Prose() {}

    /** What is wrong with a Markdown file; each begins with its name and line. */
    static List<String> findings(String name, Markdown document) {
        List<String> findings = new ArrayList<>(findings(name, document.pieces()));
        document.widerThan(COLUMNS)
                .forEach(line -> findings.add(name + ":" + line + ": wider than " + COLUMNS + " columns"));
        return findings;
    }

    static List<String> findings(String name, List<Markdown.Piece> pieces) {
        return pieces.stream()
                .flatMap(piece -> sentences(piece.text())
                        .flatMap(Prose::inSentence)
                        .map(finding -> name + ":" + piece.line() + ": " + finding))
                .toList();
    }

    private static Stream<String> sentences(String piece) {
        String text = MARKS.matcher(LINK.matcher(piece).replaceAll("$1")).replaceAll("");
        return Arrays.stream(SENTENCES.split(CODE.matcher(text).replaceAll("`")));
    }

    private static Stream<String> inSentence(String sentence) {
        List<String> findings = new ArrayList<>();
        long words = Arrays.stream(sentence.split("\\s+"))
                .filter(word -> WORD.matcher(word).matches())
                .count();
        if (words > MOST_WORDS) {
            findings.add(words + " words, more than " + MOST_WORDS + ": " + sentence);
        }
        for (Habit habit : Habit.values()) {
            Matcher matcher = habit.pattern.matcher(sentence);
            if (matcher.find()) {
                findings.add("'" + matcher.group() + "': " + habit.instead + ": " + sentence);
            }
        }
        return findings.stream();
    }
}
