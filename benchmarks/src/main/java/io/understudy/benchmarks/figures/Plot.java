package io.understudy.benchmarks.figures;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Lines over a common axis, in panels one beside the other, as SVG. Written by hand as libraries that draw it measure
 * text by fonts, which servers do not have.
 */
public final class Plot {

    private static final int WIDTH = 250;
    private static final int HEIGHT = 170;
    private static final int LEFT = 50;
    private static final int TOP = 40;
    private static final int GAP = 110;
    private static final int BOTTOM = 45;
    private static final int IN_A_ROW = 2;
    private static final int TICKS = 4;

    /** Told apart by people who do not see all colours, too (Okabe and Ito). */
    private static final List<String> COLOURS = List.of("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9");

    private static final List<String> DASHES = List.of("none", "6 3", "2 3", "8 3 2 3", "12 3");

    /** Of one quantity: for each line its values by what is on the axis. */
    private static final class Panel {
        private final String title;
        private final Map<String, TreeMap<Integer, Double>> lines = new LinkedHashMap<>();

        Panel(String title) {
            this.title = title;
        }

        double highest() {
            return lines.values().stream()
                    .flatMap(line -> line.values().stream())
                    .mapToDouble(Double::doubleValue)
                    .max()
                    .orElse(1);
        }
    }

    private final String axis;
    private final Map<String, Panel> panels = new LinkedHashMap<>();

    /** @param axis what is on the axis of all panels */
    public Plot(String axis) {
        this.axis = axis;
    }

    /** A point of a line of a panel; both appear with their first one. */
    public void add(String title, String line, int at, double value) {
        panels.computeIfAbsent(title, Panel::new)
                .lines
                .computeIfAbsent(line, any -> new TreeMap<>())
                .put(at, value);
    }

    public void write(Path file) throws IOException {
        int rows = (panels.size() + IN_A_ROW - 1) / IN_A_ROW;
        int width = IN_A_ROW * (LEFT + WIDTH + GAP);
        int height = rows * (TOP + HEIGHT + BOTTOM);
        List<String> svg = new ArrayList<>();
        svg.add(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" font-size=\"12\">",
                width,
                height,
                width,
                height));
        svg.add("<rect width=\"100%\" height=\"100%\" fill=\"white\"/>");
        int index = 0;
        for (Panel panel : panels.values()) {
            int x = LEFT + index % IN_A_ROW * (LEFT + WIDTH + GAP);
            int y = TOP + index / IN_A_ROW * (TOP + HEIGHT + BOTTOM);
            svg.add("<g transform=\"translate(" + x + " " + y + ")\">");
            draw(panel, svg);
            svg.add("</g>");
            index++;
        }
        svg.add("</svg>");
        Files.write(file, svg);
    }

    private void draw(Panel panel, List<String> svg) {
        TreeMap<Integer, Double> first = panel.lines.values().iterator().next();
        int from = first.firstKey();
        int to = Math.max(from + 1, first.lastKey());
        double top = round(panel.highest());
        svg.add(text(0, -18, "start", "#000", panel.title));
        for (int i = 0; i <= TICKS; i++) {
            double y = HEIGHT - (double) HEIGHT * i / TICKS;
            svg.add(String.format(
                    Locale.ROOT, "<line x1=\"0\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>", WIDTH, y, y));
            svg.add(text(-6, y + 4, "end", "#444", number(top * i / TICKS)));
        }
        for (int at : first.keySet()) {
            svg.add(text(
                    (double) WIDTH * (at - from) / (to - from), HEIGHT + 16, "middle", "#444", String.valueOf(at)));
        }
        svg.add(text(WIDTH / 2.0, HEIGHT + 32, "middle", "#444", axis));
        List<Double> labels = new ArrayList<>();
        int index = 0;
        for (Map.Entry<String, TreeMap<Integer, Double>> line : panel.lines.entrySet()) {
            StringBuilder points = new StringBuilder();
            double y = 0;
            for (Map.Entry<Integer, Double> point : line.getValue().entrySet()) {
                y = HEIGHT - HEIGHT * point.getValue() / top;
                points.append(String.format(
                        Locale.ROOT, "%.1f,%.1f ", (double) WIDTH * (point.getKey() - from) / (to - from), y));
            }
            String colour = COLOURS.get(index % COLOURS.size());
            svg.add("<polyline fill=\"none\" stroke-width=\"2\" stroke=\"" + colour + "\" stroke-dasharray=\""
                    + DASHES.get(index % DASHES.size()) + "\" points=\""
                    + points.toString().strip() + "\"/>");
            svg.add(text(WIDTH + 8, free(labels, y + 4), "start", colour, line.getKey()));
            index++;
        }
    }

    /** Where no other label is. */
    private static double free(List<Double> labels, double wanted) {
        double y = wanted;
        while (isTaken(labels, y)) {
            y += 1;
        }
        labels.add(y);
        return y;
    }

    private static boolean isTaken(List<Double> labels, double y) {
        return labels.stream().anyMatch(other -> Math.abs(other - y) < 13);
    }

    /** The next of 1, 2, 2.5 or 5 times a power of ten, so that ticks are round. */
    private static double round(double highest) {
        double power = Math.pow(10, Math.floor(Math.log10(Math.max(highest, 1e-9))));
        for (double step : new double[] {1, 2, 2.5, 5}) {
            if (highest <= step * power) {
                return step * power;
            }
        }
        return 10 * power;
    }

    private static String number(double value) {
        return value >= 10 || value == Math.rint(value)
                ? String.format(Locale.ROOT, "%,.0f", value)
                : String.format(Locale.ROOT, "%.2f", value);
    }

    private static String text(double x, double y, String anchor, String colour, String text) {
        return String.format(
                Locale.ROOT,
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"%s\">%s</text>",
                x,
                y,
                anchor,
                colour,
                text.replace("&", "&amp;").replace("<", "&lt;"));
    }
}
