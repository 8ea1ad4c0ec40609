package io.understudy.museum.library;

import static io.understudy.museum.library.Sample.value;

import java.math.BigInteger;
import java.security.Key;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.util.Date;
import java.util.HexFormat;
import org.bouncycastle.asn1.nist.NISTNamedCurves;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.asn1.x9.X9ECParameters;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.jce.spec.ECNamedCurveSpec;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

@SuppressWarnings("JavaUtilDate") // Its builder takes dates.
final class BouncyCastle {

    private static final BouncyCastleProvider PROVIDER = new BouncyCastleProvider();

    /** Smallest that is signed with; the same on all nodes. */
    private static final BigInteger SECRET = BigInteger.TWO;

    private BouncyCastle() {}

    static Row row() {
        return Row.of(
                "Bouncy Castle",
                "bcpkix-jdk18on",
                value("private key", BouncyCastle::secret, BouncyCastle::text),
                value("public key", BouncyCastle::open, BouncyCastle::text),
                value(
                        "X509CertificateHolder",
                        BouncyCastle::certificate,
                        (X509CertificateHolder holder) -> holder.getSubject() + " " + holder.getSerialNumber()
                                + holder.getSubjectPublicKeyInfo()
                                        .getAlgorithm()
                                        .getAlgorithm()),
                value(
                        "X509Certificate",
                        () -> new JcaX509CertificateConverter()
                                .setProvider(PROVIDER)
                                .getCertificate(certificate()),
                        (java.security.cert.X509Certificate certificate) ->
                                certificate.getSubjectX500Principal() + text(certificate.getPublicKey())));
    }

    private static ECNamedCurveSpec curve() {
        X9ECParameters curve = NISTNamedCurves.getByName("P-256");
        return new ECNamedCurveSpec("P-256", curve.getCurve(), curve.getG(), curve.getN(), curve.getH());
    }

    private static PrivateKey secret() throws Exception {
        return KeyFactory.getInstance("EC", PROVIDER)
                .generatePrivate(new java.security.spec.ECPrivateKeySpec(SECRET, curve()));
    }

    private static PublicKey open() throws Exception {
        X9ECParameters curve = NISTNamedCurves.getByName("P-256");
        org.bouncycastle.math.ec.ECPoint point = curve.getG().multiply(SECRET).normalize();
        return KeyFactory.getInstance("EC", PROVIDER)
                .generatePublic(new java.security.spec.ECPublicKeySpec(
                        new java.security.spec.ECPoint(
                                point.getAffineXCoord().toBigInteger(),
                                point.getAffineYCoord().toBigInteger()),
                        curve()));
    }

    private static X509CertificateHolder certificate() throws Exception {
        X500Name ada = new X500Name("CN=ada");
        return new X509v3CertificateBuilder(
                        ada,
                        BigInteger.valueOf(7),
                        new Date(0),
                        new Date(1_000_000),
                        ada,
                        SubjectPublicKeyInfo.getInstance(open().getEncoded()))
                .build(new JcaContentSignerBuilder("SHA256withECDSA")
                        .setProvider(PROVIDER)
                        .build(secret()));
    }

    private static String text(Key key) {
        return key.getAlgorithm() + HexFormat.of().formatHex(key.getEncoded());
    }
}
