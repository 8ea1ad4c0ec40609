package io.understudy.museum.attacks;

import static io.understudy.museum.attacks.Payload.ended;
import static io.understudy.museum.attacks.Payload.loads;

import java.net.URL;
import java.rmi.registry.Registry;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.SignedObject;
import java.util.List;
import java.util.Map;
import javax.xml.transform.Templates;

/** Chains that need nothing but the JDK. */
final class JdkPayloads {

    private JdkPayloads() {}

    static List<Payload> all() {
        return List.of(
                loads(
                        "Jdk7u21",
                        "sun.reflect.annotation.AnnotationInvocationHandler",
                        "the handler refuses a type that is no annotation",
                        JdkPayloads::jdk7u21),
                ended(
                        "JRMPClient",
                        "java.rmi.server.RemoteObjectInvocationHandler",
                        "it would connect",
                        () -> JdkParts.proxy(new JdkParts.Caller(), Registry.class)),
                ended("JRMPListener", "java.rmi.server.UnicastRemoteObject", "it would listen", JdkParts.Exported::new),
                loads(
                        "URLDNS",
                        "java.net.URL",
                        "the address is a number, which nobody looks up",
                        () -> JdkParts.hashed(new URL("http://127.0.0.1/"))),
                loads("LDAP attribute", "com.sun.jndi.ldap.LdapAttribute", "a getter ends it", JdkParts.Ldap::new),
                loads("row set", "com.sun.rowset.JdbcRowSetImpl", "a getter ends it", JdkParts.RowSet::new),
                loads(
                        "templates",
                        "com.sun.org.apache.xalan.internal.xsltc.trax.TemplatesImpl",
                        "a getter ends it",
                        JdkParts.Templates::new),
                loads("signed object", "java.security.SignedObject", "a getter ends it", JdkPayloads::signed));
    }

    private static Object jdk7u21() {
        Object templates = new JdkParts.Templates();
        Object handler = new JdkParts.Annotated(Templates.class, Map.of("f5a5a608", templates));
        return JdkParts.set(templates, JdkParts.proxy((JdkParts.Annotated) handler, Templates.class));
    }

    /** Its getter reads the bytes inside, past the filter of the stream. */
    static SignedObject signed() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(256);
        KeyPair keys = generator.generateKeyPair();
        return new SignedObject(new Canary.Read(), keys.getPrivate(), Signature.getInstance("SHA256withECDSA"));
    }
}
