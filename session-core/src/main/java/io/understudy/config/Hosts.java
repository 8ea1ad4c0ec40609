package io.understudy.config;

import io.understudy.config.UnderstudyConfig.HostPort;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads {@code hosts}: {@code name:port}, {@code 10.0.0.1:port} or {@code [fd00::1]:port}. */
final class Hosts {

    private static final String RULE = "must be host:port, host:port ...";

    /** With or without an interface, of which this machine may know nothing, or another: it is that of {@code bindAddress}. */
    private static final Pattern ADDRESS_6 = Pattern.compile("([0-9a-fA-F.]*:[0-9a-fA-F:.]*)(%.*)?");

    private Hosts() {}

    static List<HostPort> read(SettingReader read, InetAddress bind) {
        List<HostPort> hosts = Stream.of(read.text(Setting.HOSTS).split(","))
                .map(String::trim)
                .filter(host -> !host.isEmpty())
                .map(host -> host(read, host))
                .toList();
        hosts.forEach(host -> checkFamily(host, bind));
        return hosts;
    }

    private static HostPort host(SettingReader read, String text) {
        int colon = text.lastIndexOf(':');
        boolean bracketed = text.startsWith("[");
        String host = colon > 0 ? text.substring(0, colon) : text;
        if (bracketed || host.indexOf(':') >= 0 || text.startsWith(":")) {
            return six(read, text, bracketed);
        }
        int port = port(text, colon);
        if (colon <= 0 || port == 0) {
            throw read.malformed(Setting.HOSTS, RULE, host + ":7800");
        }
        return new HostPort(host, port);
    }

    private static HostPort six(SettingReader read, String text, boolean bracketed) {
        int end = bracketed ? text.indexOf(']') : -1;
        String rule = RULE.replace(" ...", "") + ", with an IPv6 address in brackets";
        if (end < 0) {
            String inner = bracketed ? text.substring(1) : text;
            int colon = inner.lastIndexOf(':');
            int port = port(inner, colon);
            String shorter = colon > 0 ? literal(inner.substring(0, colon)) : "";
            // What looks like a port is one if an address is left without it.
            throw read.malformed(
                    Setting.HOSTS,
                    rule,
                    port > 999 && !shorter.isEmpty() ? "[" + shorter + "]:" + port : "[" + nearest(inner) + "]:7800");
        }
        String address = literal(text.substring(1, end));
        int port = text.startsWith("]:", end) ? port(text, end + 1) : 0;
        if (address.isEmpty() || port == 0) {
            throw read.malformed(Setting.HOSTS, rule, "[" + nearest(text.substring(1, end)) + "]:7800");
        }
        return new HostPort(address, port);
    }

    private static String nearest(String text) {
        String address = literal(text);
        return address.isEmpty() ? "::1" : address;
    }

    /** The port behind a colon; 0 if there is none. */
    private static int port(String text, int colon) {
        try {
            int port = Integer.parseInt(text.substring(colon + 1));
            return port > 0 && port <= 65_535 ? port : 0;
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /** An IPv6 address as it is always written here; empty if it is none. */
    static String literal(String text) {
        Matcher matcher = ADDRESS_6.matcher(text);
        try {
            return matcher.matches() && InetAddress.getByName(matcher.group(1)) instanceof Inet6Address address
                    ? BindAddress.text(address)
                    : "";
        } catch (UnknownHostException e) {
            return "";
        }
    }

    private static void checkFamily(HostPort host, InetAddress bind) {
        boolean six = host.host().indexOf(':') >= 0;
        if (host.literal() && six != bind instanceof Inet6Address) {
            String wanted = six ? "IPv4" : "IPv6";
            throw new ConfigException("setting 'hosts' names '" + host + "', but 'bindAddress' is "
                    + BindAddress.text(bind) + ", which is " + wanted + ": name the host by its " + wanted
                    + " address, or by a host name that has one");
        }
    }
}
