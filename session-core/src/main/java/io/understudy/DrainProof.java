package io.understudy;

import io.understudy.health.HealthRequest;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Whether a request to drain a node, or to take that back, is one of a person or a script on the node's own machine. The
 * sender's address alone does not show it: browsers, proxies, and applications that fetch what they are told to fetch,
 * run on that machine, too.
 */
final class DrainProof {

    /** No form can send it, and no script of another site without asking first. */
    private static final String HEADER = "x-understudy";

    private static final String MEANT = "drain";

    /**
     * Headers of a proxy show that somebody behind it sends the request, those of a browser that a page does. A hyphen at
     * the end stands for all names that begin so.
     */
    private static final List<String> FORWARDING = List.of(
            "forwarded",
            "via",
            "x-forwarded",
            "x-forwarded-",
            "x-original-",
            "x-real-ip",
            "x-envoy-",
            "x-client-ip",
            "x-cluster-client-ip",
            "client-ip",
            "true-client-ip",
            "cf-",
            "fastly-",
            "x-amzn-",
            "x-azure-",
            "x-cloud-trace-context",
            "origin",
            "sec-fetch-");

    private static final Pattern HOST = Pattern.compile("(\\[[0-9A-Fa-f:.]+\\]|[^:\\[\\]]+)(:[0-9]{1,5})?");

    private static final Pattern ADDRESS_4 = Pattern.compile("(?:[0-9]{1,3}\\.){3}[0-9]{1,3}");

    private DrainProof() {}

    /** Why the request is refused; {@code null} if it is not. */
    static @Nullable String refusal(HealthRequest request, InetAddress bindAddress) {
        if (!request.from().isLoopbackAddress() && !request.from().equals(bindAddress)) {
            return "a drain request must come from the node's own machine: expected a loopback address or "
                    + bindAddress.getHostAddress() + ", found " + request.from().getHostAddress();
        }
        for (String name : request.headers().keySet()) {
            if (FORWARDING.stream()
                    .anyMatch(known -> known.endsWith("-") ? name.startsWith(known) : name.equals(known))) {
                return "a drain request must come from the node's own machine: expected no proxy or "
                        + "browser in between, found the header " + name;
            }
        }
        if (!request.all(HEADER).equals(List.of(MEANT))) {
            return "expected the header 'X-Understudy: drain'";
        }
        List<String> hosts = request.all("host");
        return hosts.size() == 1 && own(hosts.get(0), bindAddress)
                ? null
                : "expected the header Host with localhost, a loopback address or " + bindAddress.getHostAddress()
                        + ", found " + hosts;
    }

    /** Names other than {@code localhost} do not count: who owns a name can have it mean this machine. */
    private static boolean own(String host, InetAddress bindAddress) {
        Matcher matcher = HOST.matcher(host);
        if (!matcher.matches()) {
            return false;
        }
        String name = matcher.group(1);
        InetAddress address = literal(name);
        return address == null
                ? name.equalsIgnoreCase("localhost")
                : address.isLoopbackAddress() || address.equals(bindAddress);
    }

    /** Never looks a name up. */
    private static @Nullable InetAddress literal(String name) {
        try {
            if (name.startsWith("[")) {
                return InetAddress.getByName(name);
            }
            if (!ADDRESS_4.matcher(name).matches()) {
                return null;
            }
            byte[] bytes = new byte[4];
            String[] parts = name.split("\\.", -1);
            for (int i = 0; i < bytes.length; i++) {
                int part = Integer.parseInt(parts[i]);
                if (part > 255) {
                    return null;
                }
                bytes[i] = (byte) part;
            }
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            return null;
        }
    }
}
