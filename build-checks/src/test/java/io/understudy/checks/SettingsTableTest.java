package io.understudy.checks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The README tells users of every setting, in the words of the code. */
@Tag("cluster")
final class SettingsTableTest {

    private static final String BEGIN = "<!-- settings: checked by SettingsTableTest -->\n";
    private static final String END = "<!-- end of settings -->";

    @Test
    void theReadmeHasEverySettingWithItsDefaultAndMeaning() throws IOException {
        Path readme = Path.of(System.getProperty("user.dir"), "..", "README.md").normalize();
        assertTrue(Files.isRegularFile(readme), () -> "no README at " + readme + ": run the test in its module");
        String text = Files.readString(readme);
        int begin = text.indexOf(BEGIN);
        int end = text.indexOf(END);
        assertTrue(
                begin >= 0 && end > begin, () -> readme + " has no table between '" + BEGIN.trim() + "' and '" + END);
        assertEquals(
                table(),
                text.substring(begin + BEGIN.length(), end),
                () -> "the settings in " + readme + " are not those of the code; the table is to be\n" + table());
    }

    private static String table() {
        StringBuilder table = new StringBuilder("| Setting | Default | Meaning |\n|---|---|---|\n");
        for (Setting setting : Setting.values()) {
            String value = setting.defaultValue().isEmpty() ? "" : "`" + setting.defaultValue() + "` ";
            table.append("| `%s` | %s| %s |\n".formatted(setting.key(), value, setting.description()));
        }
        return table.toString();
    }
}
