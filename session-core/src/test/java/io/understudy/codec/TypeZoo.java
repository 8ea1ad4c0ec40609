package io.understudy.codec;

import static io.understudy.codec.JdkMakers.*;
import static io.understudy.codec.ZooMakers.*;

import io.understudy.codec.HardToRestore.Bean;
import io.understudy.codec.HardToRestore.External;
import io.understudy.codec.HardToRestore.Holder;
import io.understudy.codec.HardToRestore.Node;
import io.understudy.codec.HardToRestore.Plain;
import io.understudy.codec.HardToRestore.Replaced;
import io.understudy.codec.HardToRestore.Single;
import io.understudy.codec.HardToRestore.SpecialBean;
import io.understudy.codec.HardToRestore.WithBody;
import io.understudy.codec.ZooTypes.*;
import java.io.*;
import java.math.*;
import java.net.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.text.*;
import java.time.*;
import java.time.chrono.*;
import java.time.format.DateTimeFormatter;
import java.time.temporal.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.logging.Level;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.crypto.spec.SecretKeySpec;
import javax.security.auth.kerberos.KerberosPrincipal;
import javax.security.auth.x500.X500Principal;
import javax.sql.rowset.serial.SerialBlob;
import javax.xml.datatype.DatatypeFactory;
import javax.xml.namespace.QName;

/** One value of each type that is met in sessions, or was met. */
@SuppressWarnings({"JavaUtilDate", "JdkObsolete", "IdentityHashMapUsage", "UnnecessaryStringBuilder"})
final class TypeZoo {

    /**
     * A value.
     *
     * @param view what of it has to be the same after it was restored
     * @param named what a refusal has to name
     * @param refused whether it is to be refused although it may be serializable
     */
    record Animal(String name, Callable<Object> value, Function<Object, Object> view, String named, boolean refused) {

        Object seen(Object of) {
            return view.apply(of);
        }

        String culprit(Object of) {
            return named.isEmpty() ? of.getClass().getName() : named;
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private TypeZoo() {}

    static Animal of(String name, Callable<Object> value) {
        return of(name, value, whole -> whole);
    }

    static Animal of(String name, Callable<Object> value, Function<Object, Object> view) {
        return new Animal(name, value, view, "", false);
    }

    private static Animal refused(String name, Callable<Object> value, String culprit) {
        return new Animal(name, value, whole -> whole, culprit, true);
    }

    static Stream<Animal> animals() {
        return Stream.of(
                of("String", () -> "text é 中 \uD83D\uDE00"),
                of("empty String", () -> ""),
                of("long String", () -> "x".repeat(70_000)),
                of("Boolean", () -> true),
                of("Byte", () -> (byte) -1),
                of("Character", () -> 'x'),
                of("Short", () -> (short) -2),
                of("Integer", () -> Integer.MIN_VALUE),
                of("Long", () -> Long.MAX_VALUE),
                of("Float", () -> 1.5f),
                of("Float NaN", () -> Float.NaN),
                of("Double", () -> -0.0),
                of("Double NaN", () -> Double.NaN),
                of("BigDecimal", () -> new BigDecimal("1.10")),
                of("BigInteger", () -> BigInteger.TEN.pow(40).negate()),
                of("MathContext", () -> MathContext.DECIMAL64),
                of("UUID", () -> UUID.fromString("01234567-89ab-cdef-0123-456789abcdef")),
                of("URI", () -> URI.create("http://a/b?c#d")),
                of("Currency", () -> Currency.getInstance("EUR")),
                of("Locale", () -> Locale.GERMANY),
                of("Locale with script", () -> Locale.forLanguageTag("zh-Hant-TW")),
                of("Locale with extension", () -> Locale.forLanguageTag("zh-Hans-CN-u-ca-chinese")),
                of("File", () -> new File("/tmp/x")),
                of("Inet4Address", () -> InetAddress.getByName("192.0.2.1")),
                of("Inet6Address", () -> InetAddress.getByName("2001:db8::1")),
                of("InetSocketAddress", () -> new InetSocketAddress("192.0.2.1", 80)),
                of("BitSet", () -> BitSet.valueOf(new long[] {5, 1L << 40})),
                of("Class", () -> ArrayList.class),
                of("Optional", () -> Optional.of("o")),
                of("empty Optional", () -> Optional.empty()),
                of("OptionalInt", () -> OptionalInt.of(3)),
                of("OptionalLong", () -> OptionalLong.of(4)),
                of("OptionalDouble", () -> OptionalDouble.of(5)),
                of(
                        "Pattern",
                        () -> Pattern.compile("a+b", Pattern.CASE_INSENSITIVE),
                        p -> ((Pattern) p).pattern() + ((Pattern) p).flags()),
                of("StringBuilder", () -> new StringBuilder("sb"), Object::toString),
                of("StringBuffer", () -> new StringBuffer("sb"), Object::toString),
                of("Random", () -> new Random(7), ZooMakers::jdkText),
                of("byte[]", () -> new byte[] {1, -1}, ZooMakers::deep),
                of("boolean[]", () -> new boolean[] {true, false}, ZooMakers::deep),
                of("char[]", () -> new char[] {'a', '\uFFFF'}, ZooMakers::deep),
                of("short[]", () -> new short[] {1, -1}, ZooMakers::deep),
                of("int[]", () -> new int[] {1, -1}, ZooMakers::deep),
                of("long[]", () -> new long[] {1, -1}, ZooMakers::deep),
                of("float[]", () -> new float[] {1.5f}, ZooMakers::deep),
                of("double[]", () -> new double[] {1.5, Double.NaN}, ZooMakers::deep),
                of("String[]", () -> new String[] {"a", null}, ZooMakers::deep),
                of("Integer[]", () -> new Integer[] {1, null}, ZooMakers::deep),
                of("Object[]", () -> new Object[] {1, "x", null}, ZooMakers::deep),
                of("int[][]", () -> new int[][] {{1}, {}, null}, ZooMakers::deep),
                of("Object[] of arrays", () -> new Object[] {new int[] {1}, new String[] {"x"}}, ZooMakers::deep),
                of("empty Object[]", () -> new Object[0], ZooMakers::deep),
                of("enum[]", () -> new Plain[] {Plain.ONE, null}, ZooMakers::deep),
                of("record[]", () -> new Point[] {new Point(1, 2)}, ZooMakers::deep),
                of("List[]", () -> new List<?>[] {List.of(1), new ArrayList<>(List.of(2))}, ZooMakers::deep),
                of("Instant", () -> Instant.ofEpochSecond(5, 7)),
                of("LocalDate", () -> LocalDate.of(2026, 2, 28)),
                of("LocalTime", () -> LocalTime.of(1, 2, 3, 4)),
                of("LocalDateTime", () -> LocalDateTime.of(2026, 1, 2, 3, 4, 5, 6)),
                of("ZonedDateTime", () -> ZonedDateTime.of(2026, 1, 2, 3, 4, 5, 6, ZoneId.of("Europe/Berlin"))),
                of(
                        "ZonedDateTime before clocks go back",
                        () -> ZonedDateTime.parse("2024-10-27T02:30+02:00[Europe/Berlin]")),
                of(
                        "ZonedDateTime after clocks went back",
                        () -> ZonedDateTime.parse("2024-10-27T02:30+01:00[Europe/Berlin]")),
                of("ZonedDateTime with an offset", () -> ZonedDateTime.parse("2024-10-27T02:30:00.000000001-18:00")),
                of("greatest Instant", () -> Instant.MAX),
                of("least Instant", () -> Instant.MIN),
                of("greatest LocalDate", () -> LocalDate.MAX),
                of("least LocalDateTime", () -> LocalDateTime.MIN),
                of("greatest LocalTime", () -> LocalTime.MAX),
                of("greatest OffsetDateTime", () -> OffsetDateTime.MAX),
                of("least OffsetTime", () -> OffsetTime.MIN),
                of("greatest Duration", () -> Duration.ofSeconds(Long.MAX_VALUE, 999_999_999)),
                of("least Duration", () -> Duration.ofSeconds(Long.MIN_VALUE)),
                of("Period backwards", () -> Period.of(-1, -20, Integer.MIN_VALUE)),
                of("ZoneOffset with seconds", () -> ZoneOffset.ofHoursMinutesSeconds(-1, -2, -3)),
                of("ZoneId of an offset", () -> ZoneId.of("UTC+01:30")),
                of("least Year", () -> Year.of(Year.MIN_VALUE)),
                of("Date before all", () -> new Date(Long.MIN_VALUE)),
                of("-0.0", () -> -0.0),
                of("half a character", () -> "\uD83C"),
                of("BigDecimal of tens", () -> new BigDecimal(BigInteger.valueOf(-7), -3)),
                of("BigDecimal of no value", () -> new BigDecimal("0.000")),
                of("OffsetDateTime", () -> OffsetDateTime.of(2026, 1, 2, 3, 4, 5, 6, ZoneOffset.ofHours(2))),
                of("OffsetTime", () -> OffsetTime.of(3, 4, 5, 6, ZoneOffset.ofHours(-2))),
                of("Duration", () -> Duration.ofNanos(12_345)),
                of("Period", () -> Period.of(1, 2, 3)),
                of("ZoneId", () -> ZoneId.of("Europe/Berlin")),
                of("ZoneOffset", () -> ZoneOffset.ofHoursMinutes(5, 30)),
                of("Year", () -> Year.of(2026)),
                of("YearMonth", () -> YearMonth.of(2026, 3)),
                of("MonthDay", () -> MonthDay.of(2, 29)),
                of("DayOfWeek", () -> DayOfWeek.FRIDAY),
                of("Month", () -> Month.MAY),
                of("JapaneseDate", () -> JapaneseDate.of(2026, 1, 2)),
                of("HijrahDate", () -> HijrahDate.from(LocalDate.of(2026, 1, 2))),
                of("MinguoDate", () -> MinguoDate.of(115, 1, 2)),
                of("ThaiBuddhistDate", () -> ThaiBuddhistDate.of(2569, 1, 2)),
                of("Clock", () -> Clock.systemUTC()),
                of("fixed Clock", () -> Clock.fixed(Instant.EPOCH, ZoneOffset.UTC)),
                of("WeekFields", () -> WeekFields.of(DayOfWeek.SUNDAY, 1)),
                of("ValueRange", () -> ValueRange.of(1, 7)),
                of("Date", () -> new Date(123_456)),
                of("Timestamp", () -> nanos()),
                of("sql.Date", () -> new java.sql.Date(86_400_000)),
                of("sql.Time", () -> new java.sql.Time(1000)),
                of("GregorianCalendar", () -> calendar()),
                of("TimeZone", () -> TimeZone.getTimeZone("Europe/Berlin")),
                of(
                        "SimpleTimeZone",
                        () -> new SimpleTimeZone(3_600_000, "X/Y", 2, -1, 1, 7_200_000, 9, -1, 1, 7_200_000)),
                of("SimpleDateFormat", () -> new SimpleDateFormat("yyyy-MM-dd", Locale.ROOT)),
                of(
                        "DecimalFormat",
                        () -> new DecimalFormat("#,##0.00", DecimalFormatSymbols.getInstance(Locale.GERMANY))),
                of("MessageFormat", () -> new MessageFormat("{0} of {1}", Locale.ROOT)),
                of("ChoiceFormat", () -> new ChoiceFormat("0#none|1#one")),
                of("ArrayList", () -> new ArrayList<>(List.of(1, "x")), ZooMakers::deep),
                of("ArrayList with nulls", () -> new ArrayList<>(Arrays.asList(null, 1, null)), ZooMakers::deep),
                of("ArrayList of nulls", () -> new ArrayList<>(Collections.nCopies(100, null)), ZooMakers::deep),
                of("LinkedList", () -> new LinkedList<>(List.of(1, 2)), ZooMakers::deep),
                of("Vector", () -> new Vector<>(List.of(1, 2)), ZooMakers::deep),
                of("Stack", () -> stack(), ZooMakers::deep),
                of("HashSet", () -> new HashSet<>(Set.of("a", "b")), ZooMakers::deep),
                of("LinkedHashSet", () -> new LinkedHashSet<>(List.of("b", "a")), ZooMakers::deep),
                of("TreeSet", () -> new TreeSet<>(Set.of("a", "b")), ZooMakers::deep),
                of(
                        "TreeSet in reverse",
                        () -> reversed(new TreeSet<String>(Comparator.reverseOrder())),
                        ZooMakers::deep),
                of("ArrayDeque", () -> new ArrayDeque<>(List.of(1, 2)), ZooMakers::deep),
                of("PriorityQueue", () -> new PriorityQueue<>(List.of(3, 1, 2)), ZooMakers::deep),
                of("PriorityQueue in reverse", () -> queue(), ZooMakers::deep),
                of("HashMap", () -> new HashMap<>(Map.of("k", 1)), ZooMakers::deep),
                of("HashMap with null key and value", () -> nulls(), ZooMakers::deep),
                of("LinkedHashMap", () -> ordered(false), ZooMakers::deep),
                of("TreeMap", () -> new TreeMap<>(Map.of("b", 1, "a", 2)), ZooMakers::deep),
                of("TreeMap ignoring case", () -> ignoringCase(), ZooMakers::deep),
                of("TreeMap in reverse", () -> reverseMap(), ZooMakers::deep),
                of("Hashtable", () -> new Hashtable<>(Map.of("k", 1)), ZooMakers::deep),
                of("ConcurrentHashMap", () -> new ConcurrentHashMap<>(Map.of("k", 1)), ZooMakers::deep),
                of("ConcurrentSkipListMap", () -> new ConcurrentSkipListMap<>(Map.of("k", 1)), ZooMakers::deep),
                of("ConcurrentSkipListSet", () -> new ConcurrentSkipListSet<>(Set.of("k")), ZooMakers::deep),
                of(
                        "ConcurrentSkipListSet in reverse",
                        () -> reversed(new ConcurrentSkipListSet<String>(Comparator.reverseOrder())),
                        ZooMakers::deep),
                of("CopyOnWriteArrayList", () -> new CopyOnWriteArrayList<>(List.of(1)), ZooMakers::deep),
                of("CopyOnWriteArraySet", () -> new CopyOnWriteArraySet<>(List.of(1)), ZooMakers::deep),
                of("ConcurrentLinkedQueue", () -> new ConcurrentLinkedQueue<>(List.of(1, 2)), ZooMakers::deep),
                of("ConcurrentLinkedDeque", () -> new ConcurrentLinkedDeque<>(List.of(1, 2)), ZooMakers::deep),
                of("LinkedBlockingQueue", () -> new LinkedBlockingQueue<>(List.of(1, 2)), ZooMakers::deep),
                of("LinkedBlockingDeque", () -> new LinkedBlockingDeque<>(List.of(1, 2)), ZooMakers::deep),
                of("PriorityBlockingQueue", () -> new PriorityBlockingQueue<>(List.of(2, 1)), ZooMakers::deep),
                of("LinkedTransferQueue", () -> new LinkedTransferQueue<>(List.of(1, 2)), ZooMakers::deep),
                of("EnumMap", () -> new EnumMap<>(Map.of(Plain.TWO, "t")), ZooMakers::deep),
                of("empty EnumMap", () -> new EnumMap<Plain, String>(Plain.class), ZooMakers::deep),
                of("EnumSet", () -> EnumSet.of(Plain.ONE), ZooMakers::deep),
                of("empty EnumSet", () -> EnumSet.noneOf(Plain.class), ZooMakers::deep),
                of("EnumSet of bodies", () -> EnumSet.allOf(WithBody.class), ZooMakers::deep),
                of("List.of()", () -> List.of(), ZooMakers::deep),
                of("List.of(1)", () -> List.of(1), ZooMakers::deep),
                of("List.of(2)", () -> List.of(1, 2), ZooMakers::deep),
                of("List.of(5)", () -> List.of(1, 2, 3, 4, 5), ZooMakers::deep),
                of("Set.of()", () -> Set.of(), ZooMakers::deep),
                of("Set.of(2)", () -> Set.of(1, 2), ZooMakers::deep),
                of("Set.of(5)", () -> Set.of(1, 2, 3, 4, 5), ZooMakers::deep),
                of("Map.of()", () -> Map.of(), ZooMakers::deep),
                of("Map.of(1)", () -> Map.of(1, 2), ZooMakers::deep),
                of("Map.of(3)", () -> Map.of(1, 2, 3, 4, 5, 6), ZooMakers::deep),
                of("Stream.toList", () -> Stream.of(1, 2).toList(), ZooMakers::deep),
                of("Stream.toList with null", () -> Stream.of(1, null).toList(), ZooMakers::deep),
                of("Arrays.asList", () -> Arrays.asList("x", null), ZooMakers::deep),
                of("emptyList", () -> Collections.emptyList(), ZooMakers::deep),
                of("emptyMap", () -> Collections.emptyMap(), ZooMakers::deep),
                of("emptySet", () -> Collections.emptySet(), ZooMakers::deep),
                of("emptySortedMap", () -> Collections.emptySortedMap(), ZooMakers::deep),
                of("emptyNavigableSet", () -> Collections.emptyNavigableSet(), ZooMakers::deep),
                of("singletonList", () -> Collections.singletonList(1), ZooMakers::deep),
                of("singletonMap", () -> Collections.singletonMap(1, 2), ZooMakers::deep),
                of("singleton", () -> Collections.singleton(1), ZooMakers::deep),
                of("nCopies", () -> Collections.nCopies(3, 1), ZooMakers::deep),
                of(
                        "unmodifiableList",
                        () -> Collections.unmodifiableList(new ArrayList<>(List.of(1))),
                        ZooMakers::deep),
                of("unmodifiableSet", () -> Collections.unmodifiableSet(new HashSet<>(Set.of(1))), ZooMakers::deep),
                of("unmodifiableMap", () -> Collections.unmodifiableMap(new HashMap<>(Map.of(1, 2))), ZooMakers::deep),
                of(
                        "unmodifiableSortedMap",
                        () -> Collections.unmodifiableSortedMap(new TreeMap<>(Map.of(1, 2))),
                        ZooMakers::deep),
                of(
                        "unmodifiableSortedSet",
                        () -> Collections.unmodifiableSortedSet(new TreeSet<>(Set.of(1))),
                        ZooMakers::deep),
                of(
                        "synchronizedList",
                        () -> Collections.synchronizedList(new ArrayList<>(List.of(1))),
                        ZooMakers::deep),
                of("synchronizedSet", () -> Collections.synchronizedSet(new HashSet<>(Set.of(1))), ZooMakers::deep),
                of("synchronizedMap", () -> Collections.synchronizedMap(new HashMap<>(Map.of(1, 2))), ZooMakers::deep),
                of(
                        "synchronizedSortedMap",
                        () -> Collections.synchronizedSortedMap(new TreeMap<>(Map.of(1, 2))),
                        ZooMakers::deep),
                of(
                        "checkedList",
                        () -> Collections.checkedList(new ArrayList<>(List.of(1)), Integer.class),
                        ZooMakers::deep),
                of(
                        "checkedMap",
                        () -> Collections.checkedMap(new HashMap<>(Map.of(1, 2)), Integer.class, Integer.class),
                        ZooMakers::deep),
                of("newSetFromMap", () -> setFromMap(), ZooMakers::deep),
                of("CHM.newKeySet", () -> keySet(), ZooMakers::deep),
                of("SimpleEntry", () -> new AbstractMap.SimpleEntry<>("k", 1), ZooMakers::deep),
                of("SimpleImmutableEntry", () -> new AbstractMap.SimpleImmutableEntry<>("k", 1), ZooMakers::deep),
                of("Properties", () -> properties(), ZooMakers::deep),
                of(
                        "nested collections",
                        () -> new ArrayList<>(List.of(new HashMap<>(Map.of("k", new TreeSet<>(Set.of(1)))))),
                        ZooMakers::deep),
                of(
                        "unmodifiableCollection",
                        () -> Collections.unmodifiableCollection(new ArrayList<>(List.of(1))),
                        v -> List.copyOf((Collection<?>) v)),
                of(
                        "asLifoQueue",
                        () -> Collections.asLifoQueue(new ArrayDeque<>(List.of(1, 2))),
                        v -> new ArrayList<>((Collection<?>) v)),
                of("IdentityHashMap", () -> new IdentityHashMap<>(Map.of(Plain.ONE, 2))),
                of(
                        "LinkedBlockingQueue bounded",
                        () -> new LinkedBlockingQueue<>(5),
                        q -> ((LinkedBlockingQueue<?>) q).remainingCapacity()),
                of(
                        "ArrayBlockingQueue",
                        () -> blocking(),
                        q -> "" + q + ((ArrayBlockingQueue<?>) q).remainingCapacity()),
                of("LinkedHashMap by access", () -> ordered(true), m -> touched((LinkedHashMap<?, ?>) m)),
                of("LRU map", () -> new Lru(Map.of(1, 2))),
                of("Properties with defaults", () -> defaults(), p -> ((Properties) p).getProperty("k")),
                of("ArrayList subclass with a field", () -> new NamedArrayList("n")),
                of("HashMap subclass with a field", () -> new NamedHashMap("n")),
                of("Date subclass with a field", () -> new NamedDate("n"), d -> d + ((NamedDate) d).name),
                of("anonymous HashMap", () -> anonymous()),
                of("list containing itself", () -> itself(), l -> ((List<?>) l).get(0) == l),
                of("map containing itself", () -> mapItself(), m -> ((Map<?, ?>) m).get("me") == m),
                of("shared element", () -> shared(), l -> ((List<?>) l).get(0) == ((List<?>) l).get(1)),
                of("AtomicInteger", () -> new AtomicInteger(5), Object::toString),
                of("AtomicLong", () -> new AtomicLong(5), Object::toString),
                of("AtomicBoolean", () -> new AtomicBoolean(true), Object::toString),
                of("AtomicReference", () -> new AtomicReference<>("x"), Object::toString),
                of("AtomicIntegerArray", () -> new AtomicIntegerArray(new int[] {1, 2}), Object::toString),
                of("AtomicLongArray", () -> new AtomicLongArray(new long[] {1, 2}), Object::toString),
                of("LongAdder", () -> adder(), Object::toString),
                of("ReentrantLock", () -> new ReentrantLock(true), l -> ((ReentrantLock) l).isFair()),
                of("Semaphore", () -> new Semaphore(3), s -> ((Semaphore) s).availablePermits()),
                of("record", () -> new Point(1, 2)),
                of("record of all primitives", () -> new Primitives(true, (byte) 1, 'c', (short) 2, 3, 4, 5f, 6d)),
                of("record with a list", () -> new Basket(List.of(new Point(1, 2)), "n")),
                of("generic record", () -> new Box<>(new Point(3, 4))),
                of("validating record", () -> new Positive(3)),
                of("record with null", () -> new Box<>(null)),
                of("enum", () -> Plain.TWO),
                of("enum with body", () -> WithBody.UP),
                of("bean", () -> new Bean("b")),
                of("bean subclass", () -> new SpecialBean("s")),
                of("bean with final fields", () -> new Final("x", 3)),
                of("bean without constructor", () -> new Unmade("u")),
                of("Externalizable", () -> new External(5)),
                of("writeReplace", () -> new Replaced("r")),
                of("readResolve singleton", () -> Single.INSTANCE),
                of("writeObject and readObject", () -> new Custom(9)),
                of("bean with a collection subclass", () -> new Box<>(new NamedArrayList("n"))),
                of("exception of one's own", () -> new Failure("m", 7), e -> e + " " + ((Throwable) e).getCause()),
                of(
                        "IllegalStateException with cause",
                        () -> new IllegalStateException("a", new Failure("b", 1)),
                        e -> e + " " + ((Throwable) e).getCause()),
                of("EventObject subclass", () -> new Event("source", 3), e -> ((Event) e).number),
                of("same field in super and sub", () -> new Sub(1, 2)),
                of("bean in a cycle", () -> cycle(), n -> ((Node) n).next.next == n),
                of("transient field", () -> new WithTransient(3)),
                of("inner class", () -> new Outer(4).inner(), Object::toString),
                of("Comparator.reverseOrder", () -> Comparator.reverseOrder()),
                of("CASE_INSENSITIVE_ORDER", () -> String.CASE_INSENSITIVE_ORDER),
                of("Subject", () -> subject()),
                of("SecretKeySpec", () -> new SecretKeySpec(new byte[] {1, 2}, "AES")),
                of("X500Principal", () -> new X500Principal("CN=a")),
                of("KerberosPrincipal", () -> new KerberosPrincipal("ada@EXAMPLE.ORG")),
                of("UserPrincipal", () -> new com.sun.security.auth.UserPrincipal("ada")),
                of("X509Certificate", () -> certificate()),
                of("CertPath", () -> certificates()),
                of("RSA KeyPair", () -> keys("RSA"), JdkMakers::encodedKeys),
                of("EC KeyPair", () -> keys("EC"), JdkMakers::encodedKeys),
                of("Ed25519 KeyPair", () -> keys("Ed25519"), JdkMakers::encodedKeys),
                of("URL", () -> new URL("https://u:p@example.org:8443/a/b?q=1#r"), Object::toString),
                of("URLs as keys", () -> urlsAsKeys(), Object::toString),
                of("URL of a JAR", () -> new URL("jar:file:/a/b.jar!/c.txt"), Object::toString),
                of("UnixDomainSocketAddress", () -> UnixDomainSocketAddress.of("/tmp/x")),
                of("QName", () -> new QName("urn:x", "local", "p")),
                of("XMLGregorianCalendar", () -> xmlDate()),
                of("xml Duration", () -> DatatypeFactory.newInstance().newDuration("P1Y2M3DT4H5M6S")),
                of("xml day-time Duration", () -> DatatypeFactory.newInstance().newDurationDayTime("P3DT4H")),
                of("xml Document", () -> document("<a x='1'><b>t</b><!-- c --><![CDATA[x]]></a>"), JdkMakers::xml),
                of("log Level", () -> Level.WARNING),
                of("SerialBlob", () -> new SerialBlob(new byte[] {1, 2})),
                of("PropertyChangeSupport", () -> listenedTo(), JdkMakers::listeners),
                of(
                        "PropertyChangeEvent",
                        () -> new java.beans.PropertyChangeEvent("s", "p", 1, 2),
                        JdkMakers::newValue),
                of("awt Color", () -> new java.awt.Color(1, 2, 3, 4)),
                of("awt Point", () -> new java.awt.Point(1, 2)),
                of("awt Dimension", () -> new java.awt.Dimension(1, 2)),
                of("awt Rectangle", () -> new java.awt.Rectangle(1, 2, 3, 4)),
                of("awt Insets", () -> new java.awt.Insets(1, 2, 3, 4)),
                of("awt Rectangle2D", () -> new java.awt.geom.Rectangle2D.Double(1, 2, 3, 4)),
                of("awt AffineTransform", () -> java.awt.geom.AffineTransform.getRotateInstance(1)),
                of("tree node", () -> new javax.swing.tree.DefaultMutableTreeNode("n"), Object::toString),
                of("ObjectName", () -> new javax.management.ObjectName("a:b=c")),
                of("LdapName", () -> new javax.naming.ldap.LdapName("cn=ada,dc=example")),
                of("NamingException", () -> new javax.naming.CommunicationException("x"), Object::toString),
                of("BasicAttributes", () -> new javax.naming.directory.BasicAttributes("a", "b")),
                of("RemoteException", () -> new java.rmi.RemoteException("x"), Object::toString),
                of("UID", () -> new java.rmi.server.UID()),
                of("SQLException", () -> new java.sql.SQLException("x", "08001", 7), Object::toString),
                of("SAXParseException", () -> new org.xml.sax.SAXParseException("x", null), Object::toString),
                of("SSLHandshakeException", () -> new javax.net.ssl.SSLHandshakeException("x"), Object::toString),
                of("lambda", () -> (Function<Integer, Integer> & Serializable) i -> i + 1, f -> apply(f, 1)),
                of("capturing lambda", () -> adding(3), f -> apply(f, 1)),
                of("method reference", () -> (Function<Integer, Integer> & Serializable) Math::abs, f -> apply(f, -1)),
                of("proxy", () -> proxy(), f -> apply(f, 1)),
                refused("Thread", () -> new Thread(), "java.lang.Thread"),
                refused("Object with a non-serializable field", () -> new Holder(), "NotSerializableBean"),
                refused("LogRecord", () -> new java.util.logging.LogRecord(Level.INFO, "x"), "LogRecord"),
                refused("SecureRandom", () -> new SecureRandom(), "java.security.SecureRandom"),
                refused("JLabel", () -> new javax.swing.DefaultListModel<>(), "DefaultListModel"),
                refused("Path", () -> Path.of("x"), "UnixPath"),
                refused("Charset", () -> StandardCharsets.UTF_8, "UTF_8"),
                refused("Map.entry", () -> Map.entry(1, 2), "KeyValueHolder"),
                refused("HashMap.keySet", () -> new HashMap<>(Map.of(1, 2)).keySet(), "KeySet"),
                refused("HashMap.values", () -> new HashMap<>(Map.of(1, 2)).values(), "Values"),
                refused("ArrayList.subList", () -> new ArrayList<>(List.of(1, 2)).subList(0, 1), "SubList"),
                refused("WeakHashMap", () -> new WeakHashMap<>(), "WeakHashMap"),
                refused("lambda that is not serializable", () -> (Runnable) () -> {}, "Lambda"),
                refused("DateTimeFormatter", () -> DateTimeFormatter.ISO_DATE, "DateTimeFormatter"),
                refused("CountDownLatch", () -> new CountDownLatch(1), "CountDownLatch"),
                refused("ThreadLocal", () -> new ThreadLocal<>(), "ThreadLocal"),
                refused("list with a Thread", () -> new ArrayList<>(List.of(new Thread())), "java.lang.Thread"),
                refused("inner class of something else", () -> new Unserializable().inner(), "Unserializable"));
    }
}
