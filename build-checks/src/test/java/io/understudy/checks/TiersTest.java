package io.understudy.checks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each class with tests is of one tier, and uses only what tests of that tier may. */
@Tag("cluster")
class TiersTest {

    private static final String KIT = "io.understudy.testkit";

    /** Of the test kit, what neither starts a node nor opens a socket. */
    private static final List<String> RULES_KIT = Stream.of(
                    "Await", "Beside", "EveryOrder", "Forgetful", "LogLines", "MovedTime", "Sides", "history")
            .map(name -> KIT + "." + name)
            .toList();

    private static final List<String> POOLS = List.of(
            "java.util.concurrent.ExecutorService",
            "java.util.concurrent.Executors",
            "java.util.concurrent.ForkJoinPool",
            "java.util.concurrent.ScheduledExecutorService",
            "java.util.concurrent.ThreadPoolExecutor",
            "java.util.Timer",
            "io.understudy.threads.DaemonThreads");

    private static final List<String> SOCKETS_AND_CHANNELS = List.of(
            "java.net.Socket",
            "java.net.ServerSocket",
            "java.net.DatagramSocket",
            "java.net.MulticastSocket",
            "java.net.http.HttpClient",
            "java.net.http.WebSocket",
            "java.nio.channels.",
            "javax.net.ssl.SSLSocket",
            "javax.net.ssl.SSLServerSocket",
            "com.sun.net.httpserver.",
            "org.jgroups.JChannel",
            "io.understudy.NodeStart");

    private static final List<String> FILES = List.of(
            "java.nio.file.Files",
            "java.io.FileInputStream",
            "java.io.FileOutputStream",
            "java.io.FileReader",
            "java.io.FileWriter",
            "java.io.RandomAccessFile",
            "org.junit.jupiter.api.io.TempDir");

    private static final List<String> CONTAINERS = List.of(
            "org.eclipse.jetty.server.Server",
            "org.apache.catalina.startup.Tomcat",
            "org.springframework.boot.SpringApplication");

    /** What runs in a JVM, or a network, of its own. */
    private static final List<String> PROCESSES =
            List.of(KIT + ".member.", KIT + ".netns.", KIT + ".intruder.", KIT + ".Signals");

    /** Each rests between two turns of a loop that a condition ends, is slow for others, or needs real time (tier process). */
    private static final List<String> RESTING = List.of(
            "DisturbedClusterTest",
            "FailingMemberTest",
            "FailoverTimes",
            "FailureDetectionTest",
            "ForgetfulShop",
            "HostIT$Slow",
            "HungNodeTest$1",
            "LateVotesTest",
            "LoopTest",
            "MembersInNamespacesTest",
            "MixedVersionsTest",
            "OverlappingRequestsIT",
            "RehearsalInRealTimeTest$ProcessorTime",
            "RunningDemo",
            "TlsSocketTest",
            "Visitors",
            "WarmUpTest",
            "WatchdogTest",
            "Writers");

    private static JavaClasses all;
    private static List<JavaClass> tests;

    @BeforeAll
    static void read() throws Exception {
        all = Modules.here().testClasses();
        tests = TestClasses.in(all);
        assertTrue(tests.size() > 150, () -> "only " + tests.size() + " classes with tests were found");
    }

    private static List<String> names(Predicate<JavaClass> which) {
        return tests.stream().filter(which).map(JavaClass::getName).sorted().toList();
    }

    @Test
    void eachClassIsOfOneTier() {
        assertEquals(
                List.of(),
                names(type -> TestClasses.tiers(type).size() != 1),
                () -> "each needs @Tag with one of " + Arrays.toString(Tier.values()));
    }

    @Test
    void whatIsTaggedInAClassIsWholeAndOfTheTierProcess() {
        List<JavaMethod> tagged = tests.stream()
                .flatMap(type -> type.getMethods().stream())
                .filter(method -> method.isAnnotatedWith(Tag.class))
                .toList();
        assertEquals(
                List.of(),
                tagged.stream()
                        .filter(method ->
                                !method.getAnnotationOfType(Tag.class).value().equals("whole")
                                        || !TestClasses.tiers(method.getOwner()).contains(Tier.PROCESS.tag()))
                        .map(JavaMethod::getFullName)
                        .toList());
    }

    @Test
    void surefireLooksIntoEachClassWithTests() {
        assertEquals(List.of(), names(type -> !TestClasses.named(type)), "names have to end with Test or IT");
    }

    @ParameterizedTest
    @EnumSource(names = {"RULES", "CLUSTER", "CONTAINER"})
    void testsUseWhatTheirTierMay(Tier tier) {
        List<String> wrong = new ArrayList<>();
        for (JavaClass type : tests) {
            if (TestClasses.tiers(type).contains(tier.tag())) {
                reached(type)
                        .forEach(each -> each.getDirectDependenciesFromSelf().stream()
                                .filter(dependency -> !allowed(tier, dependency))
                                .map(dependency -> type.getSimpleName() + ": " + dependency.getDescription())
                                .forEach(wrong::add));
            }
        }
        assertEquals("", String.join("\n", wrong), tier + " may not have this");
    }

    /** A test that sleeps hopes that something happens meanwhile. It has to wait for it. */
    @Test
    void noTestSleepsButForTheRestOfALoop() {
        assertEquals(
                RESTING,
                all.stream()
                        .filter(type -> type.getMethodCallsFromSelf().stream().anyMatch(TiersTest::sleeps))
                        .map(type ->
                                type.getName().substring(type.getPackageName().length() + 1))
                        .sorted()
                        .toList());
    }

    private static boolean sleeps(JavaMethodCall call) {
        String name = call.getTarget().getFullName();
        return name.startsWith("java.lang.Thread.sleep(")
                || name.startsWith("java.util.concurrent.TimeUnit.sleep(")
                || name.startsWith("java.util.concurrent.locks.LockSupport.parkNanos(");
    }

    /** A class, those in it, and those beside it that it uses. */
    private static Set<JavaClass> reached(JavaClass start) {
        Set<JavaClass> reached = new LinkedHashSet<>();
        Deque<JavaClass> open = new ArrayDeque<>(List.of(start));
        while (!open.isEmpty()) {
            JavaClass type = open.pop();
            if (reached.add(type)) {
                type.getDirectDependenciesFromSelf().stream()
                        .map(dependency -> dependency.getTargetClass().getBaseComponentType())
                        .filter(target -> all.contain(target.getName()))
                        .forEach(open::push);
            }
        }
        return reached;
    }

    private static boolean allowed(Tier tier, Dependency dependency) {
        String target = dependency.getTargetClass().getBaseComponentType().getName();
        if (startsAny(target, PROCESSES) || dependency.getDescription().contains("<java.lang.ProcessBuilder.<init>")) {
            return false;
        }
        if (tier == Tier.CONTAINER) {
            return true;
        }
        if (startsAny(target, CONTAINERS)) {
            return false;
        }
        boolean kit = target.startsWith(KIT) && !startsAny(target, RULES_KIT);
        return tier == Tier.CLUSTER
                || !(kit
                        || startsAny(target, POOLS)
                        || startsAny(target, SOCKETS_AND_CHANNELS)
                        || startsAny(target, FILES));
    }

    private static boolean startsAny(String name, List<String> beginnings) {
        return beginnings.stream().anyMatch(name::startsWith);
    }
}
