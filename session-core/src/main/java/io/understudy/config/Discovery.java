package io.understudy.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The sources of other members' addresses besides {@code hosts} and multicast. Each component is described by its
 * {@link Setting}; an empty one is none.
 *
 * @param databasePassword the password itself, not its file
 */
public record Discovery(
        String dnsName,
        String directory,
        String database,
        String databaseUser,
        String databasePassword,
        String jgroupsStack) {

    /** Of DNS (RFC 1035), and of RFC 2782 with its underscores. */
    private static final Pattern NAME = Pattern.compile("[\\w-]{1,63}(\\.[\\w-]{1,63})*\\.?");

    /** RFC 4501, with a server and a name. */
    private static final Pattern URI = Pattern.compile("dns://([\\w.-]+|\\[[0-9a-fA-F:.]+])(:\\d{1,5})?/(.+)");

    /** What a file in {@code jgroupsStack} says instead. */
    private static final List<Setting> OF_STACK = List.of(
            Setting.TRANSPORT,
            Setting.BIND_PORT,
            Setting.HOSTS,
            Setting.MULTICAST_ADDRESS,
            Setting.MULTICAST_PORT,
            Setting.DNS_NAME,
            Setting.DISCOVERY_DIRECTORY,
            Setting.DISCOVERY_DATABASE);

    static Discovery read(SettingReader read) {
        Discovery discovery = new Discovery(
                dnsName(read),
                read.path(Setting.DISCOVERY_DIRECTORY, "/mnt/shared/understudy"),
                database(read),
                read.text(Setting.DISCOVERY_DATABASE_USER),
                Secrets.value(read, Setting.DISCOVERY_DATABASE_PASSWORD),
                read.path(Setting.JGROUPS_STACK, "/etc/understudy/stack.xml"));
        discovery.refuseWithoutDatabase();
        discovery.refuseWithOwnStack(read);
        if (discovery.listed() && read.choice(Setting.TRANSPORT, Transport.class) == Transport.UDP) {
            throw new ConfigException("setting 'transport' is 'udp', which finds members by multicast only, but "
                    + discovery.named() + " is set: remove that setting, or set 'transport' to 'auto' or 'tcp'");
        }
        return discovery;
    }

    private void refuseWithoutDatabase() {
        if (database.isEmpty() && !(databaseUser + databasePassword).isEmpty()) {
            Setting given =
                    databaseUser.isEmpty() ? Setting.DISCOVERY_DATABASE_PASSWORD : Setting.DISCOVERY_DATABASE_USER;
            throw new ConfigException("setting '" + given.key() + "' belongs to '" + Setting.DISCOVERY_DATABASE.key()
                    + "', which is not set: set both or none");
        }
    }

    private void refuseWithOwnStack(SettingReader read) {
        List<String> overruled = OF_STACK.stream()
                .filter(setting -> !read.text(setting).equalsIgnoreCase(setting.defaultValue()))
                .map(setting -> "'" + setting.key() + "'")
                .toList();
        if (!jgroupsStack.isEmpty() && !overruled.isEmpty()) {
            throw new ConfigException(
                    "setting 'jgroupsStack' is '" + jgroupsStack + "', which configures transport and discovery "
                            + "completely, so "
                            + String.join(", ", overruled) + " would have no effect: remove one or the other");
        }
    }

    private static String dnsName(SettingReader read) {
        String text = read.text(Setting.DNS_NAME);
        Matcher uri = URI.matcher(text);
        String name = uri.matches() ? uri.group(3) : text;
        if (!text.isEmpty() && !NAME.matcher(name).matches()) {
            throw read.malformed(
                    Setting.DNS_NAME,
                    "must be a name in DNS without a port, or dns://server:port/name",
                    nearestName(name));
        }
        return text;
    }

    private static String nearestName(String text) {
        String name = text.replaceFirst("^\\w+://", "").replaceFirst("[:/, ].*", "");
        return NAME.matcher(name).matches() ? name : "understudy.default.svc.cluster.local";
    }

    private static String database(SettingReader read) {
        String text = read.text(Setting.DISCOVERY_DATABASE);
        if (!text.isEmpty() && !text.startsWith("jdbc:")) {
            throw new ConfigException("setting '" + Setting.DISCOVERY_DATABASE.key() + "' must be a JDBC URL, such as "
                    + "'jdbc:postgresql://db:5432/shop', was '" + shown(text) + "'");
        }
        return text;
    }

    /** Whether {@code dnsName}, {@code discoveryDirectory} or {@code discoveryDatabase} is set. */
    public boolean listed() {
        return !(dnsName + directory + database).isEmpty();
    }

    private String named() {
        return Stream.of(
                        dnsName.isEmpty() ? "" : Setting.DNS_NAME.key(),
                        directory.isEmpty() ? "" : Setting.DISCOVERY_DIRECTORY.key(),
                        database.isEmpty() ? "" : Setting.DISCOVERY_DATABASE.key())
                .filter(key -> !key.isEmpty())
                .map(key -> "'" + key + "'")
                .collect(Collectors.joining(", "));
    }

    /** {@code host:port} of the DNS server to ask; empty for what this machine is set up with. */
    public String dnsServer() {
        Matcher uri = URI.matcher(dnsName);
        return !uri.matches() ? "" : uri.group(1) + (uri.group(2) == null ? "" : uri.group(2));
    }

    /** The name to look up, without the server. */
    public String dnsQuery() {
        Matcher uri = URI.matcher(dnsName);
        return uri.matches() ? uri.group(3) : dnsName;
    }

    /** Whether the name is one of services and their ports (RFC 2782), and not of addresses. */
    public boolean dnsServices() {
        return dnsQuery().startsWith("_");
    }

    /** {@code database} for people: without what may hold a password. */
    public String shownDatabase() {
        return shown(database);
    }

    private static String shown(String url) {
        return url.replaceFirst("[?;].*", "").replaceFirst("//[^/@]*@", "//");
    }

    /** What {@link #read} reads. */
    Map<Setting, String> asText() {
        return Map.of(
                Setting.DNS_NAME, dnsName,
                Setting.DISCOVERY_DIRECTORY, directory,
                Setting.DISCOVERY_DATABASE, database,
                Setting.DISCOVERY_DATABASE_USER, databaseUser,
                Setting.DISCOVERY_DATABASE_PASSWORD, databasePassword,
                Setting.JGROUPS_STACK, jgroupsStack);
    }

    /** Without the password, and what may hold it: settings are logged. */
    @Override
    public String toString() {
        List<String> parts = new ArrayList<>(List.of("dnsName=" + dnsName, "directory=" + directory));
        parts.add("database=" + shownDatabase());
        parts.add("databaseUser=" + databaseUser);
        parts.add("databasePassword=" + (databasePassword.isEmpty() ? "none" : "given"));
        parts.add("jgroupsStack=" + jgroupsStack);
        return "Discovery[" + String.join(", ", parts) + "]";
    }
}
