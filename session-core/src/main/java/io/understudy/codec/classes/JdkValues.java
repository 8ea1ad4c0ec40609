package io.understudy.codec.classes;

import java.security.Key;
import java.security.cert.CertPath;
import java.security.cert.Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The JDK's classes that are values: reading one runs nothing but the JDK's own code that makes it. What opens a
 * connection, starts a process, loads classes by name or holds listeners to be called is not among them.
 */
public final class JdkValues {

    private static final Set<String> PACKAGES = names(
            "java.awt.font java.awt.geom java.math java.text java.time java.time.chrono java.time.format",
            "java.time.temporal java.time.zone java.util java.util.concurrent java.util.concurrent.atomic",
            "java.util.concurrent.locks java.util.regex javax.print.attribute javax.print.attribute.standard",
            "javax.security.auth.kerberos javax.sql.rowset.serial javax.xml.namespace",
            "com.sun.org.apache.xerces.internal.dom com.sun.org.apache.xerces.internal.jaxp.datatype com.sun.security.auth");

    private static final Set<String> NAMES = names(
            "java.lang.Boolean java.lang.Byte java.lang.Character java.lang.Class java.lang.Double java.lang.Enum",
            "java.lang.Float java.lang.Integer java.lang.Long java.lang.Number java.lang.Object java.lang.Record",
            "java.lang.Short java.lang.StackTraceElement java.lang.String java.lang.String$CaseInsensitiveComparator",
            "java.lang.StringBuffer java.lang.StringBuilder java.lang.Void java.lang.invoke.SerializedLambda",
            "java.lang.reflect.Proxy",
            "java.awt.Color java.awt.ComponentOrientation java.awt.Dimension java.awt.Font java.awt.Insets java.awt.Point",
            "java.awt.Polygon java.awt.Rectangle javax.swing.ImageIcon javax.swing.tree.DefaultMutableTreeNode",
            "javax.swing.tree.TreePath",
            "java.beans.IndexedPropertyChangeEvent java.beans.PropertyChangeEvent java.beans.PropertyChangeSupport",
            "java.beans.VetoableChangeSupport",
            "java.io.File java.net.Inet4Address java.net.Inet6Address java.net.InetAddress java.net.InetSocketAddress",
            "java.net.SocketAddress java.net.URI java.net.UnixDomainSocketAddress java.net.UnixDomainSocketAddress$Ser",
            "java.rmi.dgc.VMID java.rmi.server.ObjID java.rmi.server.UID",
            "java.security.CodeSigner java.security.KeyPair java.security.KeyRep java.security.Timestamp",
            "java.security.cert.CertPath$CertPathRep java.security.cert.Certificate$CertificateRep",
            "java.sql.Date java.sql.Time java.sql.Timestamp java.util.logging.Level",
            "javax.crypto.SealedObject javax.crypto.spec.SecretKeySpec javax.management.ObjectName",
            "javax.management.remote.JMXPrincipal javax.naming.CompositeName javax.naming.CompoundName",
            "javax.naming.directory.BasicAttribute javax.naming.directory.BasicAttributes javax.naming.ldap.LdapName",
            "javax.naming.ldap.Rdn",
            "javax.security.auth.Subject javax.security.auth.Subject$SecureSet javax.security.auth.x500.X500Principal",
            "sun.util.calendar.ZoneInfo");

    /** Whose objects the JDK makes of encoded bytes, whatever class of its own it takes. */
    private static final List<Class<?>> KINDS =
            List.of(Enum.class, Throwable.class, Certificate.class, CertPath.class, Key.class);

    private JdkValues() {}

    private static Set<String> names(String... lines) {
        return Stream.of(lines).flatMap(line -> Arrays.stream(line.split(" "))).collect(Collectors.toUnmodifiableSet());
    }

    /** Whether it is one of the JDK's classes, a value or not. */
    public static boolean ofJdk(Class<?> type) {
        ClassLoader loader = type.getClassLoader();
        return loader == null || loader == ClassLoader.getPlatformClassLoader();
    }

    /** @param type of the JDK */
    static boolean contains(Class<?> type) {
        return type.isInterface()
                || NAMES.contains(type.getName())
                || PACKAGES.contains(type.getPackageName())
                || KINDS.stream().anyMatch(kind -> kind.isAssignableFrom(type));
    }
}
