package io.understudy.config;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The address of this machine that {@code bindAddress} chooses: by itself, a host name, an interface or a network. */
public final class BindAddress {

    private record Local(InetAddress address, NetworkInterface at) {
        @Override
        public String toString() {
            return text(address) + " (" + at.getName() + ")";
        }
    }

    private BindAddress() {}

    /** An address as it is written in settings: IPv6 without its longest zeros, and without the name of an interface. */
    public static String text(InetAddress address) {
        String text = address.getHostAddress();
        int zone = text.indexOf('%');
        String known = zone < 0 ? text : text.substring(0, zone);
        return address instanceof Inet6Address ? known.replaceFirst("(^|:)0(:0)+(:|$)", "::") : known;
    }

    /**
     * The interface with an address.
     *
     * @throws ConfigException if no interface of this machine that is up has it
     */
    public static NetworkInterface at(InetAddress address) {
        for (Local local : locals()) {
            // All of 127.0.0.0/8 is of this machine, though the interface has one of them.
            if (local.address().equals(address)
                    || (address.isLoopbackAddress() && local.address().isLoopbackAddress())) {
                return local.at();
            }
        }
        throw new ConfigException("setting 'bindAddress' is '" + text(address)
                + "', which is not an address of this machine: choose one of " + listed() + stack(address));
    }

    private static String stack(InetAddress address) {
        return address instanceof Inet6Address && Boolean.getBoolean("java.net.preferIPv4Stack")
                ? ". This JVM was started with -Djava.net.preferIPv4Stack=true and has no IPv6: to use IPv6, remove "
                        + "that option"
                : "";
    }

    static InetAddress read(SettingReader read) {
        InetAddress chosen = choose(read);
        if (chosen instanceof Inet6Address && chosen.isLinkLocalAddress()) {
            throw refused(read, "must not be a link-local IPv6 address, which is valid on one link only,");
        }
        return chosen;
    }

    private static InetAddress choose(SettingReader read) {
        String text = read.nonEmpty(Setting.BIND_ADDRESS);
        if (text.indexOf('/') >= 0) {
            Predicate<InetAddress> network = network(text);
            if (network == null) {
                throw refused(read, "must be a network such as 10.1.0.0/16 or fd00:1::/64 if it contains a '/'");
            }
            return only(read, locals().stream().filter(local -> network.test(local.address())));
        }
        List<Local> interfaces = locals().stream()
                .filter(local -> local.at().getName().equals(text))
                .toList();
        if (!interfaces.isEmpty()) {
            int best = interfaces.stream().mapToInt(BindAddress::rank).min().orElse(0);
            return only(read, interfaces.stream().filter(local -> rank(local) == best));
        }
        InetAddress named = named(read, text);
        if (named.isAnyLocalAddress()) {
            throw refused(read, "must be a single address at which the other members reach this node");
        }
        return named;
    }

    private static InetAddress named(SettingReader read, String text) {
        try {
            List<InetAddress> all = List.of(InetAddress.getAllByName(text));
            List<Local> locals = locals();
            return all.stream()
                    .filter(each ->
                            locals.stream().anyMatch(local -> local.address().equals(each)))
                    .findFirst()
                    .orElse(all.get(0));
        } catch (UnknownHostException e) {
            throw refused(read, "must be an address, an interface, a network or a host name of this machine");
        }
    }

    private static InetAddress only(SettingReader read, Stream<Local> found) {
        List<Local> all = found.toList();
        if (all.size() > 1) {
            throw new ConfigException("setting '" + Setting.BIND_ADDRESS.key() + "' is '"
                    + read.text(Setting.BIND_ADDRESS) + "', which " + all.size()
                    + " addresses of this machine fit: choose one of " + listed(all));
        }
        if (all.isEmpty()) {
            throw refused(read, "must be a network in which this machine has an address");
        }
        return all.get(0).address();
    }

    /** IPv4 first, then IPv6 that is good on more than one link. */
    private static int rank(Local local) {
        return local.address() instanceof Inet6Address ? local.address().isLinkLocalAddress() ? 2 : 1 : 0;
    }

    private static @Nullable Predicate<InetAddress> network(String text) {
        int slash = text.indexOf('/');
        String prefix = text.substring(0, slash);
        if (!prefix.matches("[0-9.]+|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*")
                || !text.substring(slash + 1).matches("\\d{1,3}")) {
            return null;
        }
        byte[] wanted;
        try {
            wanted = InetAddress.getByName(prefix).getAddress();
        } catch (UnknownHostException e) {
            return null;
        }
        int bits = Integer.parseInt(text.substring(slash + 1));
        return bits > 8 * wanted.length ? null : address -> same(address.getAddress(), wanted, bits);
    }

    private static boolean same(byte[] address, byte[] wanted, int bits) {
        if (address.length != wanted.length) {
            return false;
        }
        for (int bit = 0; bit < bits; bit++) {
            if (((address[bit / 8] ^ wanted[bit / 8]) >> (7 - bit % 8) & 1) != 0) {
                return false;
            }
        }
        return true;
    }

    private static ConfigException refused(SettingReader read, String rule) {
        String[] valid = locals().stream()
                .filter(local -> rank(local) < 2)
                .map(local -> text(local.address()))
                .toArray(String[]::new);
        return read.malformed(
                Setting.BIND_ADDRESS,
                rule + " (this machine has " + listed() + ")",
                valid.length == 0
                        ? Setting.BIND_ADDRESS.defaultValue()
                        : DidYouMean.to(read.text(Setting.BIND_ADDRESS), valid));
    }

    private static String listed() {
        return listed(locals());
    }

    private static String listed(List<Local> locals) {
        return locals.isEmpty() ? "none" : locals.stream().map(Local::toString).collect(Collectors.joining(", "));
    }

    /** Of interfaces that are up: what reaches most first, as far as the kinds of addresses tell, and loopback last. */
    private static List<Local> locals() {
        List<Local> found = new ArrayList<>();
        try {
            for (NetworkInterface at : Collections.list(NetworkInterface.getNetworkInterfaces())) {
                if (at.isUp()) {
                    at.inetAddresses().forEach(address -> found.add(new Local(address, at)));
                }
            }
        } catch (SocketException e) {
            return found; // There is none, says the system in this way.
        }
        found.sort(Comparator.comparing((Local local) -> local.address().isLoopbackAddress())
                .thenComparing(BindAddress::rank)
                .thenComparing(local -> local.at().getIndex()));
        return found;
    }
}
