package io.understudy.demo.launcher;

import io.understudy.config.ConfigException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.EnumMap;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Finds out before anything is started whether the ports are free. */
final class Ports {

    /**
     * Where "any" port is looked for: below what Linux (32768 on) and macOS (49152 on) hand out for outgoing connections,
     * as those would take a killed node's port before it is started again.
     */
    private static final int ANY_FROM = 20_000;

    private static final int ANY_TO = 32_000;

    /** How many places are tried for "any" port. */
    private static final int ANY_TRIES = 200;

    private Ports() {}

    /**
     * The first port of each option; 0 replaced by one that is free.
     *
     * @throws ConfigException naming the port that is taken and its option
     */
    static Map<Option, Integer> claim(DemoOptions options) {
        Map<Option, Integer> claimed = new EnumMap<>(Option.class);
        Random random = new Random();
        for (Option option : Option.values()) {
            int first = options.port(option);
            if (first == 0) {
                first = any(option, claimed, random);
            } else {
                check(option, first, claimed);
            }
            claimed.put(option, first);
        }
        return claimed;
    }

    private static void check(Option option, int first, Map<Option, Integer> claimed) {
        for (int port = first; port < first + option.count(); port++) {
            Option other = owner(port, claimed);
            if (other != null) {
                throw new ConfigException("port " + port + " is wanted by option '" + option.key() + "' and by option '"
                        + other.key() + "': give one of them another");
            }
            if (!free(port)) {
                throw new ConfigException("port " + port + " is taken by another process: end that, or choose another "
                        + "port with --" + option.key() + "=<port> (0 is any)");
            }
        }
    }

    private static int any(Option option, Map<Option, Integer> claimed, Random random) {
        for (int i = 0; i < ANY_TRIES; i++) {
            int first = random.nextInt(ANY_FROM, ANY_TO);
            boolean free = true;
            for (int port = first; port < first + option.count(); port++) {
                free = free && owner(port, claimed) == null && free(port);
            }
            if (free) {
                return first;
            }
        }
        throw new ConfigException("found no free port for option '" + option.key() + "' between " + ANY_FROM + " and "
                + ANY_TO + ": give one with --" + option.key() + "=<port>");
    }

    private static @Nullable Option owner(int port, Map<Option, Integer> claimed) {
        for (Map.Entry<Option, Integer> entry : claimed.entrySet()) {
            int first = entry.getValue();
            if (port >= first && port < first + entry.getKey().count()) {
                return entry.getKey();
            }
        }
        return null;
    }

    private static boolean free(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
