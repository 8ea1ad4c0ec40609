package io.understudy.checks;

import com.tngtech.archunit.core.domain.JavaClass;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** What the tests of a build were, by tier, and which were not run: printed when the build is over. */
public final class TierSummary {

    /** What came of the tests of a tier. */
    private static final class Counts {
        int run;
        int failed;
        int classes;
        final Map<String, Integer> skipped = new TreeMap<>();
    }

    /** Surefire's suffix of reports of the second run. */
    private static final String SECOND_RUN = "-tomcat11.xml";

    private final Map<Tier, Counts> tiers = new EnumMap<>(Tier.class);
    private final Map<String, Tier> tierOf = new TreeMap<>();
    private boolean onBothTomcats;

    private TierSummary() {
        for (Tier tier : Tier.values()) {
            tiers.put(tier, new Counts());
        }
    }

    /**
     * Prints it.
     *
     * @param args the directory of the parent, when the build began (ISO 8601), the phase that this module is in, and Maven's
     *     goals: if that is not the last of its phases, nothing is printed yet
     */
    public static void main(String... args) throws IOException {
        if (args[2].equals("verify")
                || List.of(args[3].split("[\\[\\], ]+", -1)).contains("test")) {
            System.out.print(of(Modules.below(Path.of(args[0]).toRealPath()), Instant.parse(args[1])));
        }
    }

    /** @param began reports that are older are another build's */
    static String of(Modules modules, Instant began) throws IOException {
        TierSummary summary = new TierSummary();
        for (JavaClass type : TestClasses.in(modules.testClasses())) {
            for (String tag : TestClasses.tiers(type)) {
                Tier tier = Tier.valueOf(tag.toUpperCase(Locale.ROOT));
                summary.tierOf.put(type.getName(), tier);
                summary.counts(tier).classes++;
            }
        }
        for (Path report : modules.reports()) {
            if (!Files.getLastModifiedTime(report).toInstant().isBefore(began)) {
                summary.add(report);
                summary.onBothTomcats |= report.toString().endsWith(SECOND_RUN);
            }
        }
        return summary.text();
    }

    private Counts counts(Tier tier) {
        return tiers.computeIfAbsent(tier, key -> new Counts());
    }

    private void add(Path report) throws IOException {
        Element suite;
        try {
            suite = DocumentBuilderFactory.newDefaultInstance()
                    .newDocumentBuilder()
                    .parse(report.toFile())
                    .getDocumentElement();
        } catch (ParserConfigurationException | SAXException e) {
            throw new IOException(report + ": expected a report of Surefire", e);
        }
        NodeList cases = suite.getElementsByTagName("testcase");
        for (int i = 0; i < cases.getLength(); i++) {
            Element test = (Element) cases.item(i);
            // Of jqwik's tests only the suite has the package.
            Tier tier = tierOf(test.getAttribute("classname"));
            tier = tier == null ? tierOf(suite.getAttribute("name")) : tier;
            if (tier == null) {
                throw new IOException(report + " has a test that is of no class with a tier: "
                        + test.getAttribute("classname") + "." + test.getAttribute("name"));
            }
            add(counts(tier), test);
        }
    }

    /** Without the suffix in brackets that tells runs of one class apart, and factories of dynamic tests. */
    private @Nullable Tier tierOf(String type) {
        return tierOf.get(type.replaceAll("[(\\[].*$", ""));
    }

    private static void add(Counts counts, Element test) {
        NodeList skipped = test.getElementsByTagName("skipped");
        if (skipped.getLength() > 0) {
            counts.skipped.merge(((Element) skipped.item(0)).getAttribute("message"), 1, Integer::sum);
            return;
        }
        counts.run++;
        if (test.getElementsByTagName("failure").getLength() > 0
                || test.getElementsByTagName("error").getLength() > 0) {
            counts.failed++;
        }
    }

    private String text() {
        StringBuilder text = new StringBuilder();
        tiers.forEach((tier, counts) -> {
            boolean ran = counts.run > 0 || !counts.skipped.isEmpty();
            text.append(String.format("%-14s", tier.tag()));
            if (ran) {
                text.append(String.format("%,d tests run", counts.run))
                        .append(counts.failed == 0 ? "" : ", " + counts.failed + " failed");
            } else {
                text.append("not run: ")
                        .append(counts.classes)
                        .append(" classes; ")
                        .append(tier.howToRun());
            }
            if (ran && tier == Tier.CONTAINER && !onBothTomcats) {
                text.append("; Tomcat's not a second time, on the newest: mvn verify -Pfull");
            }
            text.append('\n');
            counts.skipped.forEach((reason, times) -> text.append(" ".repeat(14))
                    .append("NOT RUN: ")
                    .append(times)
                    .append(" tests: ")
                    .append(reason)
                    .append('\n'));
        });
        return text.toString();
    }
}
