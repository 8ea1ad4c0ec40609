package io.understudy.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.cluster.membership.WireVersions;
import io.understudy.config.UnderstudyConfig;
import io.understudy.network.stack.StackCustomizer;
import io.understudy.testkit.Await;
import io.understudy.testkit.LoopbackCluster;
import io.understudy.wire.Frame.Phase;
import io.understudy.wire.Frame.Presence;
import io.understudy.wire.WireCodec;
import io.understudy.wire.WireFormatException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.Message;
import org.jgroups.stack.Protocol;
import org.jgroups.util.MessageBatch;
import org.jgroups.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Members of other releases: which version is written to them, and what becomes of those that read none of ours. */
@Tag("cluster")
@Timeout(300)
class WireVersionsTest {

    private static final Duration LIMIT = Await.LIMIT;
    private static final Address SELF = UUID.randomUUID();
    private static final Address OLD = UUID.randomUUID();
    private static final Address NEW = UUID.randomUUID();

    private final List<UnderstudyConfig> configs = LoopbackCluster.configs(2, Map.of());
    private final List<ClusterChannel> channels = new ArrayList<>();

    @AfterEach
    void close() {
        channels.forEach(ClusterChannel::close);
    }

    private ClusterChannel start(int node, StackCustomizer stack) {
        ClusterChannel channel = ClusterChannels.connect(configs.get(node), stack);
        channels.add(channel);
        return channel;
    }

    private static StackCustomizer release(int[] said, int @Nullable [] heard) {
        return protocols -> {
            List<Protocol> changed = new ArrayList<>(protocols);
            changed.add(new OtherRelease(said, heard));
            return changed;
        };
    }

    private static void awaitReady(ApplicationGroup group) {
        Await.until(LIMIT, group::waitingFor, group::ready);
    }

    private static Presence reads(int lowest, int highest) {
        return new Presence(1, 1, true, lowest, highest, List.of());
    }

    @Test
    void theHighestThatAllReadIsWritten() {
        WireVersions versions = new WireVersions(() -> SELF, "n1");
        assertEquals(2, versions.written(), "alone");
        versions.view(List.of(SELF, OLD, NEW));
        assertEquals(1, versions.written(), "nobody has said anything");
        assertTrue(versions.said(NEW, reads(2, 3)));
        assertEquals(1, versions.written(), "one has not");
        assertTrue(versions.said(OLD, reads(1, 2)));
        assertEquals(2, versions.written());
        assertTrue(versions.said(OLD, reads(1, 1)));
        assertEquals(1, versions.written());
        versions.view(List.of(SELF, NEW));
        assertEquals(2, versions.written(), "the old one left");
        versions.view(List.of(SELF, NEW, OLD));
        assertEquals(1, versions.written(), "what it said before is forgotten");
        assertFalse(versions.said(OLD, reads(3, 4)));
        assertEquals(2, versions.written(), "a stranger does not count");
    }

    @Test
    void toAnOldMemberTheOldVersionIsWrittenUntilItLeaves() {
        ClusterChannel here = start(0, StackCustomizer.NONE);
        awaitReady(here.join("/shop"));
        assertEquals(2, here.wireVersion());
        ClusterChannel old = start(1, release(new int[] {1, 1}, null));
        awaitReady(old.join("/shop"));
        assertEquals(1, here.wireVersion());
        old.close();
        Await.until(LIMIT, () -> "still " + here.wireVersion(), () -> here.wireVersion() == 2);
    }

    @Test
    void whoSharesNoVersionStaysOutsideAndSaysWhy() {
        ClusterChannel here = start(0, StackCustomizer.NONE);
        ApplicationGroup shop = here.join("/shop");
        awaitReady(shop);
        ClusterChannel other = start(1, release(new int[] {7, 9}, new int[] {7, 9}));
        ApplicationGroup outside = other.join("/shop");
        Await.until(LIMIT, outside::waitingFor, () -> outside.waitingFor().contains("reads wire versions 7 to 9"));
        Await.until(LIMIT, here::wireVersion, () -> here.wireVersion() == 2); // It has heard so, too.
        assertFalse(outside.ready());
        assertTrue(shop.ready());
        assertEquals(List.of(), here.services().members().others(shop.number(), Phase.JOINING));
        assertEquals(List.of(), other.services().members().others(shop.number(), Phase.JOINING));
        shop.close(); // Not the member: a node that is alone then serves only if 'startAlone' says so.
        awaitReady(outside);
    }

    /** What it says of itself, and what the others say of themselves, is of a release with other versions. */
    private static final class OtherRelease extends Protocol {

        private final int[] said;
        private final int @Nullable [] heard;

        /** @param heard {@code null} is what the others say */
        OtherRelease(int[] said, int @Nullable [] heard) {
            this.said = said;
            this.heard = heard;
        }

        @Override
        public Object down(Message message) {
            return down_prot.down(changed(message, said));
        }

        @Override
        public Object up(Message message) {
            return up_prot.up(changed(message, heard));
        }

        @Override
        public void up(MessageBatch batch) {
            for (Message message : batch) {
                up(message);
            }
        }

        private static Message changed(Message message, int @Nullable [] versions) {
            try {
                if (versions != null
                        && message instanceof BytesMessage bytes
                        && bytes.getLength() > 0
                        && WireCodec.decode(bytes.getArray(), bytes.getOffset(), bytes.getLength())
                                instanceof Presence presence) {
                    Message other = bytes.copy(false, true);
                    other.setArray(WireCodec.encode(
                            new Presence(
                                    presence.origin(),
                                    presence.announcement(),
                                    presence.coherent(),
                                    versions[0],
                                    versions[1],
                                    presence.memberships()),
                            1));
                    return other;
                }
            } catch (WireFormatException e) {
                return message; // Not one of ours.
            }
            return message;
        }
    }
}
