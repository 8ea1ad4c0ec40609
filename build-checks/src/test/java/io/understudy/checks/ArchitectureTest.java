package io.understudy.checks;

import static com.tngtech.archunit.lang.conditions.ArchConditions.be;
import static com.tngtech.archunit.lang.conditions.ArchConditions.callConstructorWhere;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which package may know which, and which of them a library may be met in. */
@Tag("cluster")
class ArchitectureTest {

    private static final JavaClasses CLASSES = Modules.classesOf("session-core");
    private static final String DAEMON_THREADS = "io.understudy.threads.DaemonThreads";

    @ParameterizedTest
    @CsvSource({
        "config.session, ''",
        "config, 'config.session'",
        "metrics, ''",
        "threads, 'metrics'",
        "health, 'threads'",
        "replica, ''",
        "lock, 'replica'",
        "expiry, 'replica'",
        "audit, 'replica'",
        "codec.classes, 'threads'",
        "codec.buffers, 'codec.classes'",
        "codec.kryo, 'codec.buffers codec.classes'",
        "codec.streams, 'codec.buffers codec.classes'",
        "codec, 'codec.buffers codec.classes codec.kryo codec.streams'",
        "wire, 'codec expiry lock replica'",
        "store, 'replica metrics'",
        "ordering, 'threads'",
        "sealing, ''",
        "network.sockets, ''",
        "tls, 'network.sockets'",
        "doctor.findings, ''",
        "doctor, 'codec codec.buffers codec.classes doctor.findings'",
        "rehearsal, 'store codec audit metrics replica threads'",
        "discovery, 'config'",
        "network.seal, 'config metrics sealing'",
        "network.multicast, 'config network.seal sealing threads'",
        "network.detection, 'metrics network.seal sealing threads'",
        "network.transport, 'config metrics network.multicast network.seal network.sockets sealing tls threads'",
        "network.stack, 'config discovery metrics network.detection network.multicast network.seal network.transport"
                + " ordering threads'",
        "cluster.membership, 'config.session replica store threads wire'",
        "cluster.messaging, 'cluster.membership ordering threads wire'",
        "cluster.delivery, 'cluster.membership config.session metrics ordering replica threads wire'",
        "cluster.locking, 'cluster.delivery lock replica threads wire'",
        "cluster.convergence, 'cluster.delivery cluster.membership cluster.messaging metrics replica store threads"
                + " wire'",
        "cluster.expiry, 'audit cluster.convergence cluster.membership cluster.messaging expiry metrics replica store"
                + " threads wire'",
        "cluster.restart, 'cluster.convergence cluster.membership cluster.messaging config config.session metrics"
                + " replica store threads wire'",
        "cluster.joining, 'cluster.convergence cluster.membership cluster.messaging cluster.restart config metrics"
                + " replica store threads wire'",
        "cluster, 'audit cluster.convergence cluster.delivery cluster.expiry cluster.joining cluster.locking"
                + " cluster.membership cluster.messaging cluster.restart config config.session metrics network.detection"
                + " network.stack network.transport ordering replica store threads tls wire'",
        "session.tickets, ''",
        "session.failures, 'codec metrics replica store'",
        "session.activation, 'session.failures'",
        "session.attributes, 'codec config.session doctor metrics rehearsal replica session.activation"
                + " session.failures session.tickets'",
        "session.requests, 'cluster cluster.expiry config.session metrics replica store'",
        "session.replicas, 'audit cluster cluster.delivery cluster.expiry config config.session replica session.requests"
                + " store'",
        "session.lock, 'cluster cluster.locking config.session metrics replica session.requests store'",
        "session.expiry, 'cluster cluster.expiry expiry metrics replica session.requests store threads'",
        "session, 'audit cluster cluster.delivery cluster.expiry codec config config.session doctor expiry metrics"
                + " replica session.activation session.attributes session.expiry session.failures session.lock"
                + " session.replicas session.requests session.tickets store threads'",
        "session.adapter, 'config config.session replica session session.lock threads'",
    })
    void aPackageKnowsOnlyThoseBelowIt(String name, String below) {
        String[] allowed = packages(name + " " + below);
        noClasses()
                .that()
                .resideInAPackage("io.understudy." + name)
                .should()
                .dependOnClassesThat(DescribedPredicate.describe(
                        "are ours and not below " + name,
                        type -> PackageGraph.ours(type)
                                && !Arrays.asList(allowed).contains(type.getPackageName())))
                .check(CLASSES);
    }

    @Test
    void theRulesOfReplicasLocksAndExpiryTheSealAndTlsNeedNothingButTheJdk() {
        classes()
                .that()
                .resideInAnyPackage(
                        "io.understudy.replica",
                        "io.understudy.lock",
                        "io.understudy.expiry",
                        "io.understudy.sealing",
                        "io.understudy.network.sockets",
                        "io.understudy.tls")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "io.understudy.replica",
                        "io.understudy.lock",
                        "io.understudy.expiry",
                        "io.understudy.sealing",
                        "io.understudy.network.sockets",
                        "io.understudy.tls",
                        "java..",
                        "javax.crypto..",
                        "javax.net.ssl..",
                        "javax.security.auth.x500..",
                        "com.google.errorprone.annotations..",
                        "org.jspecify.annotations")
                .check(CLASSES);
    }

    /**
     * So no import leads up: each of them has its row, which names what it uses, and nothing else, of the rows above.
     */
    @Test
    void eachPackageHasItsRow() throws NoSuchMethodException {
        PackageGraph graph = new PackageGraph(CLASSES);
        Set<String> before = new TreeSet<>();
        List<String> findings = new ArrayList<>();
        for (String row : ArchitectureTest.class
                .getDeclaredMethod("aPackageKnowsOnlyThoseBelowIt", String.class, String.class)
                .getAnnotation(CsvSource.class)
                .value()) {
            String name = row.substring(0, row.indexOf(','));
            Set<String> allowed = new TreeSet<>(Arrays.asList(
                    row.substring(row.indexOf('\'') + 1, row.lastIndexOf('\'')).split(" +", -1)));
            allowed.remove("");
            if (!before.containsAll(allowed)) {
                findings.add(name + " has its row before one of " + allowed);
            }
            if (!allowed.equals(graph.uses(name))) {
                findings.add(name + " uses " + graph.uses(name) + ", and its row names " + allowed);
            }
            before.add(name);
        }
        assertEquals(List.of(), findings);
        before.add(PackageGraph.ROOT);
        assertEquals(new TreeSet<>(graph.fromAbove()), before, "packages with a row");
    }

    @Test
    void aPackageGetsNoMorePublicTypes() {
        assertEquals(List.of(), new PublicTypes(new PackageGraph(CLASSES)).findings());
    }

    @Test
    void aChangedCountOfPublicTypesIsFound() {
        PackageGraph graph = new PackageGraph(CLASSES);
        int count = graph.publicTypes("session").size();
        List<String> table = graph.fromAbove().stream()
                .filter(name -> !name.equals("session"))
                .map(name -> name + " " + graph.publicTypes(name).size())
                .toList();
        for (int wrong : new int[] {count - 1, count + 1}) {
            List<String> other = new ArrayList<>(table);
            other.add("session " + wrong);
            List<String> findings = new PublicTypes(graph, other).findings();
            assertEquals(1, findings.size(), findings::toString);
            assertTrue(findings.get(0).contains("write \"session " + count + "\""), findings::toString);
        }
        assertEquals(1, new PublicTypes(graph, table).findings().size(), "a package without a line");
    }

    /** A module may name packages, and single classes of others, with those nested in them. */
    @ParameterizedTest
    @CsvSource({
        "jetty-adapter, 'jetty session session.activation.Activation session.lock.SessionLock config config.session"
                + " threads.DaemonThreads threads.PerThread'",
        "tomcat-adapter, 'tomcat tomcat.barrier tomcat.container tomcat.login session session.activation.Activation"
                + " session.lock.SessionLock config config.session replica.SessionKey threads.ContextLoader"
                + " threads.PerThread'",
        "spring-boot/starter, 'springboot config jetty.UnderstudySessionFactory tomcat.UnderstudyManager'",
        "understudy-junit, 'junit junit.comparison junit.front junit.servers junit.sites session config"
                + " doctor.findings.Finding doctor.Likeness codec.NotDecodableException tomcat.UnderstudyManager'",
    })
    void anAdapterKnowsOnlyTheInterfaceForAdapters(String module, String allowed) {
        JavaClasses classes = Modules.classesOf(module);
        assertTrue(classes.stream().anyMatch(PackageGraph::ours), () -> module + " has no classes");
        knowOnly(classes, packages(allowed));
    }

    @Test
    void theSmallestAdapterKnowsOnlyTheInterfaceForAdapters() throws IOException {
        String adapter = "io.understudy.httpserver";
        JavaClasses classes = Modules.here()
                .testClasses()
                .that(DescribedPredicate.describe(
                        "are the smallest adapter's",
                        type -> type.getPackageName().equals(adapter)));
        assertFalse(classes.isEmpty());
        knowOnly(classes, packages("httpserver session session.adapter"));
    }

    private static void knowOnly(JavaClasses classes, String[] names) {
        List<String> known = Arrays.asList(names);
        noClasses()
                .should()
                .dependOnClassesThat(DescribedPredicate.describe(
                        "are ours and no interface for adapters",
                        type -> PackageGraph.ours(type.getBaseComponentType())
                                && !type.getPackageName().equals("io.understudy")
                                && !known.contains(type.getPackageName())
                                && !known.contains(TestClasses.outermost(type.getBaseComponentType())
                                        .getName())))
                .check(classes);
    }

    @ParameterizedTest
    @CsvSource({
        "org.jgroups..,              cluster cluster.convergence cluster.delivery cluster.expiry cluster.joining"
                + " cluster.locking cluster.membership cluster.messaging cluster.restart network.detection"
                + " network.multicast network.seal network.stack network.transport ordering discovery",
        "com.esotericsoftware..,     codec codec.buffers codec.classes codec.kryo codec.streams",
        "org.objenesis..,            codec.kryo",
        "com.github.benmanes..,      store",
        "org.HdrHistogram..,         metrics",
    })
    void aLibraryIsMetWhereItBelongs(String library, String user) {
        String[] users = packages(user);
        noClasses()
                .that()
                .resideOutsideOfPackages(users)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(library)
                .check(CLASSES);
        assertTrue(
                CLASSES.stream()
                        .filter(type -> Arrays.asList(users).contains(type.getPackageName()))
                        .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                        .anyMatch(d -> d.getTargetClass().getPackageName().startsWith(library.replace("..", ""))),
                "the rule names a library that is used");
    }

    @Test
    void packagesFormNoCycle() {
        slices().matching("io.(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void theCoreKnowsNoServletApi() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("jakarta.servlet..", "javax.servlet..")
                .check(CLASSES);
    }

    /** A virtual thread that waits in a monitor keeps its carrier, on JDK 21 to 23. That of the joiner is not one. */
    @Test
    void noThreadWaitsInAMonitor() {
        noClasses()
                .that()
                .doNotHaveSimpleName("Joiner")
                .should()
                .callMethod(Object.class, "wait")
                .orShould()
                .callMethod(Object.class, "wait", long.class)
                .check(CLASSES);
    }

    @Test
    void namesSayWhatAClassIs() {
        noClasses().should().haveNameMatching(".*(Impl|Utils?|Helper|Manager)").check(CLASSES);
    }

    /** Sockets may be abstract: JGroups and the JDK know a socket by its class only, not by an interface. */
    @Test
    void classesAreFinal() {
        classes()
                .that(DescribedPredicate.describe("are top level", (JavaClass type) -> !type.isNestedClass()))
                .should(be(DescribedPredicate.describe(
                        "final, an enum, an interface, or an abstract socket",
                        type -> type.isInterface()
                                || type.isEnum()
                                || type.getModifiers().contains(JavaModifier.FINAL)
                                || (type.isAssignableTo(Socket.class)
                                        && type.getModifiers().contains(JavaModifier.ABSTRACT)))))
                .check(CLASSES);
    }

    /** Another one would inherit what its maker has of an application. */
    @ParameterizedTest
    @ValueSource(strings = {"session-core", "jetty-adapter", "tomcat-adapter"})
    void onlyDaemonThreadsMakesThreads(String module) {
        noClasses()
                .that(DescribedPredicate.describe(
                        "are not DaemonThreads", type -> !type.getName().startsWith(DAEMON_THREADS)))
                .should(callConstructorWhere(DescribedPredicate.describe(
                        "it makes a thread",
                        call -> call.getTargetOwner().isAssignableTo(Thread.class)
                                && !call.getOriginOwner().isAssignableTo(Thread.class))))
                .check(Modules.classesOf(module));
    }

    /** Tomcat removes stale entries in another thread. {@code remove} makes one, and fails if Tomcat is first. */
    @ParameterizedTest
    @ValueSource(strings = {"session-core", "jetty-adapter", "tomcat-adapter"})
    void noThreadLocalIsRemoved(String module) {
        noClasses()
                .should()
                .callMethodWhere(DescribedPredicate.describe(
                        "it removes a thread local",
                        call -> call.getName().equals("remove")
                                && call.getTargetOwner().isAssignableTo(ThreadLocal.class)))
                .check(Modules.classesOf(module));
    }

    /** Which of them run at once depends on the processors otherwise, from JDK 25 on. */
    @Test
    void whatRunsBesideATestHasAThreadOfItsOwn() throws IOException {
        noClasses()
                .should()
                .callMethod(CompletableFuture.class, "runAsync", Runnable.class)
                .orShould()
                .callMethod(CompletableFuture.class, "supplyAsync", Supplier.class)
                .check(Modules.here().testClasses());
    }

    private static String[] packages(String names) {
        return Arrays.stream(names.trim().split(" +", -1))
                .map(name -> "io.understudy." + name)
                .toArray(String[]::new);
    }
}
