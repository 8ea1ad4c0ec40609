package io.understudy.benchmarks.lanes;

import io.understudy.benchmarks.figures.Histograms;
import io.understudy.benchmarks.process.Peer;
import io.understudy.benchmarks.process.WireBytes;
import io.understudy.config.Setting;
import io.understudy.config.Transport;
import io.understudy.config.UnderstudyConfig;
import io.understudy.config.session.Coherence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * A member with several {@link Lane}s to the others, which are used one after the other.
 *
 * <pre>
 * Lanes SOCKET INDEX ADDRESS MEMBERS TRANSPORT LANE ...
 * </pre>
 *
 * <p>A lane is a {@link Name}, or one and a transport of its own: {@code understudy@udp}.
 */
final class Lanes implements Peer.Actor {

    /** What a lane is called; the word in commands is in lower case. */
    enum Name {
        UNDERSTUDY,
        COUNTED,
        FIFO,
        STRIPED,
        REGULAR,
        OOB
    }

    private static final int PORTS = 10;

    /** Created by the sender; written in turn. */
    private int sessions;

    private final Map<String, Lane> lanes = new LinkedHashMap<>();

    private Lanes() {}

    public static void main(String[] args) throws Exception {
        Lanes lanes = new Lanes();
        Transport transport = Transport.valueOf(args[4].toUpperCase(Locale.ROOT));
        for (String word : List.of(args).subList(5, args.length)) {
            String[] parts = word.toUpperCase(Locale.ROOT).split("@", 2);
            Name name = Name.valueOf(parts[0]);
            Transport own = parts.length == 1 ? transport : Transport.valueOf(parts[1]);
            lanes.lanes.put(word, lane(name, config(args, own, word, lanes.lanes.size())));
        }
        Peer.serve(args[0], Integer.parseInt(args[1]), lanes);
        System.exit(0);
    }

    /**
     * @param number the lane's place among all, the same on each member: tells their ports and multicast groups apart
     */
    private static UnderstudyConfig config(String[] args, Transport transport, String word, int number) {
        int port = 7800 + number * PORTS;
        int members = Integer.parseInt(args[3]);
        String network = args[2].substring(0, args[2].lastIndexOf('.') + 1);
        return UnderstudyConfig.builder()
                .clusterName("lane-" + word)
                .nodeName("member-" + args[1])
                .transport(transport)
                .bind(args[2], port)
                .hosts(IntStream.rangeClosed(1, members)
                        .mapToObj(host -> network + host + ":" + port)
                        .toArray(String[]::new))
                .set(Setting.MULTICAST_ADDRESS, "239.255.78." + (100 + number))
                .set(Setting.MULTICAST_PORT, String.valueOf(port))
                .set(Setting.SECURITY, "none")
                .set(Setting.START_ALONE, "serve")
                .coherence(Coherence.INCOHERENT)
                .build();
    }

    private static Lane lane(Name name, UnderstudyConfig config) throws Exception {
        return switch (name) {
            case UNDERSTUDY -> new UnderstudyLane(config, true);
            case COUNTED -> new UnderstudyLane(config, false);
            case FIFO -> new PlainLane(config, PlainLane.Kind.FIFO);
            case STRIPED -> new PlainLane(config, PlainLane.Kind.STRIPED);
            case REGULAR -> new PlainLane(config, PlainLane.Kind.REGULAR);
            case OOB -> new PlainLane(config, PlainLane.Kind.OOB);
        };
    }

    @Override
    public String act(List<String> words) throws Exception {
        String verb = words.get(0);
        if (verb.equals("joined")) {
            int members = Integer.parseInt(words.get(1));
            return String.valueOf(lanes.values().stream().allMatch(lane -> lane.joined(members)));
        }
        if (verb.equals("cpu")) {
            return String.valueOf(ProcessHandle.current()
                    .info()
                    .totalCpuDuration()
                    .orElse(Duration.ZERO)
                    .toNanos());
        }
        if (verb.equals("wire")) {
            return String.valueOf(WireBytes.sent());
        }
        if (verb.equals("nanos")) {
            return String.valueOf(System.nanoTime());
        }
        if (verb.equals("state")) {
            List<String> states = new ArrayList<>();
            lanes.forEach((name, lane) -> states.add(name + ": " + lane.state()));
            return states.toString();
        }
        Lane lane = lanes.get(words.get(1));
        if (lane == null) {
            throw new IllegalArgumentException("no lane " + words.get(1));
        }
        return switch (verb) {
            case "create" -> create(lane, Integer.parseInt(words.get(2)));
            case "pace" -> pace(lane, Integer.parseInt(words.get(2)), Integer.parseInt(words.get(3)));
            case "flood" -> flood(lane, Integer.parseInt(words.get(2)), Integer.parseInt(words.get(3)));
            case "settled" -> String.valueOf(lane.settled());
            case "sent" -> String.valueOf(lane.sent());
            case "count" ->
                lane.probe().count() + " " + lane.probe().lastNanos() + " "
                        + lane.probe().outOfOrder();
            case "delays" -> Histograms.text(lane.probe().takeDelays());
            default -> throw new IllegalArgumentException("no verb " + verb);
        };
    }

    private String create(Lane lane, int count) {
        lane.create(count);
        sessions = count;
        return String.valueOf(count);
    }

    /** Sends so many updates a second, evenly; how many it sent, and in how many nanoseconds. */
    private String pace(Lane lane, int perSecond, int seconds) {
        long began = System.nanoTime();
        int count = perSecond * seconds;
        for (int i = 0; i < count; i++) {
            long due = began + i * 1_000_000_000L / perSecond;
            for (long ahead = due - System.nanoTime(); ahead > 0; ahead = due - System.nanoTime()) {
                LockSupport.parkNanos(ahead);
            }
            lane.send(i % sessions + 1, Values.now());
        }
        return count + " " + (System.nanoTime() - began);
    }

    /** Sends updates as fast as the lane takes them; how many, and when it began. */
    private String flood(Lane lane, int count, int threads) throws InterruptedException {
        long began = System.nanoTime();
        List<Thread> senders = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            int first = t;
            Thread sender = new Thread(() -> {
                // A session is written by one thread, as in a container, where its lock sees to that.
                for (int i = first; i < count; i += threads) {
                    lane.send(i % sessions + 1, Values.now());
                }
            });
            senders.add(sender);
            sender.start();
        }
        for (Thread sender : senders) {
            sender.join();
        }
        return count + " " + began;
    }
}
