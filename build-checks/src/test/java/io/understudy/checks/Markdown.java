package io.understudy.checks;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** A Markdown file, taken apart as far as the checks need it. */
final class Markdown {

    /** A piece of prose: a paragraph, an item of a list, or a cell of a table. Lines count from 1. */
    record Piece(int line, String text) {}

    /** A fenced block. {@code comment} is the line right above it, if that is a comment, else empty. */
    record Block(int line, String language, String comment, List<String> lines) {}

    private static final Pattern ITEM = Pattern.compile("\\s*([-*]|\\d+\\.)\\s.*");
    private static final Pattern RULE_OF_TABLE = Pattern.compile("\\|[-:| ]+\\|?");
    private static final Pattern CELLS = Pattern.compile("(?<!\\\\)\\|(?=(?:[^`]*`[^`]*`)*[^`]*$)");

    private final List<String> lines;
    private final List<Piece> pieces = new ArrayList<>();
    private final List<Block> blocks = new ArrayList<>();
    private final List<Piece> headings = new ArrayList<>();
    private final boolean[] prose;

    Markdown(List<String> lines) {
        this.lines = lines;
        this.prose = new boolean[lines.size()];
        int at = 0;
        while (at < lines.size()) {
            at = lines.get(at).strip().startsWith("```") ? block(at) : text(at);
        }
    }

    List<Piece> pieces() {
        return pieces;
    }

    List<Block> blocks() {
        return blocks;
    }

    List<Piece> headings() {
        return headings;
    }

    /** The lines of prose that are wider than that: neither code, nor tables, nor a link alone. */
    List<Integer> widerThan(int columns) {
        return IntStream.range(0, lines.size())
                .filter(at -> prose[at]
                        && lines.get(at).codePointCount(0, lines.get(at).length()) > columns)
                .mapToObj(at -> at + 1)
                .toList();
    }

    /** The cells of a row of a table, stripped; empty if the line is none. */
    static List<String> cells(String line) {
        if (!line.startsWith("|")) {
            return List.of();
        }
        String[] parts = CELLS.split(line.substring(1), -1);
        return IntStream.range(0, parts.length - 1)
                .mapToObj(each -> parts[each].strip())
                .toList();
    }

    private int block(int begin) {
        String fence = lines.get(begin).strip();
        int end = begin + 1;
        while (end < lines.size() && !lines.get(end).strip().equals("```")) {
            end++;
        }
        String above = begin == 0 ? "" : lines.get(begin - 1);
        blocks.add(new Block(
                begin + 1,
                fence.substring("```".length()),
                above.startsWith("<!--") ? above : "",
                lines.subList(begin + 1, Math.min(end, lines.size()))));
        return end + 1;
    }

    private int text(int begin) {
        String line = lines.get(begin);
        if (line.isBlank()
                || line.startsWith("<!--")
                || RULE_OF_TABLE.matcher(line).matches()) {
            return begin + 1;
        }
        if (line.startsWith("#")) {
            headings.add(new Piece(begin + 1, line));
            return begin + 1;
        }
        if (line.startsWith("|")) {
            cells(line).stream()
                    .filter(cell -> !cell.isEmpty())
                    .forEach(cell -> pieces.add(new Piece(begin + 1, cell)));
            return begin + 1;
        }
        if (line.startsWith("    ")
                && !ITEM.matcher(line).matches()
                && (begin == 0 || lines.get(begin - 1).isBlank())) {
            return code(begin);
        }
        int end = begin + 1;
        while (end < lines.size() && !endsParagraph(lines.get(end))) {
            end++;
        }
        for (int each = begin; each < end; each++) {
            prose[each] = true;
        }
        pieces.add(new Piece(begin + 1, String.join(" ", lines.subList(begin, end))));
        return end;
    }

    private int code(int begin) {
        int end = begin + 1;
        while (end < lines.size() && lines.get(end).startsWith("    ")) {
            end++;
        }
        return end;
    }

    private static boolean endsParagraph(String line) {
        return line.isBlank()
                || line.startsWith("#")
                || line.startsWith("|")
                || line.startsWith("<!--")
                || line.strip().startsWith("```")
                || ITEM.matcher(line).matches();
    }
}
