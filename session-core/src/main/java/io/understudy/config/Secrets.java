package io.understudy.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;

/**
 * What the traffic between members is sealed with. Each component is described by its {@link Setting}, and is the secret itself, not its file.
 *
 * @param secret empty if the traffic is not sealed
 * @param former empty if no other one is accepted
 */
public record Secrets(String secret, String former) {

    private static final int MIN = 16;

    /** In bytes: a larger file is another one. */
    private static final long MAX_FILE = 4096;

    private static final String FILE = "file:";

    static Secrets read(SettingReader read) {
        String secret = read(read, Setting.SECRET);
        String former = read(read, Setting.FORMER_SECRET);
        if (secret.isEmpty() && !former.isEmpty()) {
            throw new ConfigException("setting '" + Setting.FORMER_SECRET.key() + "' is accepted in addition to '"
                    + Setting.SECRET.key() + "', which is not set: set both");
        }
        return new Secrets(secret, former);
    }

    private static String read(SettingReader read, Setting setting) {
        String secret = value(read, setting);
        if (!read.text(setting).isEmpty() && secret.length() < MIN) {
            throw new ConfigException("setting '" + setting.key() + "' must have at least " + MIN
                    + " characters, and be the same on all nodes; it has " + secret.length()
                    + ". For example the output of: openssl rand -hex 32");
        }
        return secret;
    }

    /** What a setting says, or the file that it names. */
    static String value(SettingReader read, Setting setting) {
        String text = read.text(setting);
        return text.startsWith(FILE) ? ofFile(setting, text.substring(FILE.length())) : text;
    }

    private static String ofFile(Setting setting, String file) {
        try {
            Path path = Path.of(file);
            if (Files.size(path) > MAX_FILE) {
                throw new ConfigException("setting '" + setting.key() + "' names '" + file + "', which has more than "
                        + MAX_FILE + " bytes: expected a file that contains only the secret");
            }
            return Files.readString(path).trim();
        } catch (IOException | InvalidPathException e) {
            throw new ConfigException("setting '" + setting.key() + "' names the file '" + file
                    + "', which can't be read (" + e + "): make it readable by this process, or name another");
        }
    }

    /** Whether the traffic is sealed. */
    public boolean given() {
        return !secret.isEmpty();
    }

    /** What {@link #read} reads. */
    Map<Setting, String> asText() {
        return Map.of(Setting.SECRET, secret, Setting.FORMER_SECRET, former);
    }

    /** Without the secrets: settings are logged. */
    @Override
    public String toString() {
        return "Secrets[" + (given() ? "given" : "none") + (former.isEmpty() ? "" : ", former given") + "]";
    }
}
