package io.understudy.museum;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.understudy.junit.FailoverServer;
import io.understudy.junit.FailoverTest;
import io.understudy.testkit.Browser;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

/** The kit for applications' tests finds no difference in the objects of libraries: the application is without fault. */
@Tag("process")
@Timeout(600)
class LibraryKitTest {

    private static final String APPLICATION = "target/library-kit";

    private static final List<String> PAGES = List.of("/set?to=made", "/look?at=made&looks=0");

    @BeforeAll
    static void unpack() throws IOException {
        WebApplication.add("slf4j-api-.*", WebApplication.unpack(Path.of(APPLICATION)));
    }

    @FailoverTest(war = APPLICATION)
    @Tag("whole")
    void whatLibrariesKeepIsTheSameOnEachNode(FailoverServer server) {
        List<String> samples = samples(server);
        assertFalse(samples.isEmpty());
        List<String> faults = new ArrayList<>();
        for (String sample : samples) {
            Browser browser = new Browser();
            for (String page : PAGES) {
                String found =
                        browser.get(server::uri, page + "&sample=" + URLEncoder.encode(sample, StandardCharsets.UTF_8));
                if (!found.isEmpty()) {
                    faults.add(sample + ", " + page + ": " + found);
                }
            }
        }
        assertEquals(List.of(), faults);
    }

    /** Those that have to be replicated. */
    private static List<String> samples(FailoverServer server) {
        return new Browser()
                .get(server::uri, "/samples")
                .lines()
                .map(line -> line.split("\t", -1))
                .filter(line -> line[1].isEmpty())
                .map(line -> line[0])
                .toList();
    }
}
