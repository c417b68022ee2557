import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.PublicKey;
import java.security.Security;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Tests GirihProvider against Java's own ML-DSA (24 and later) and the girih command, which the
 * property girih.command names: GirihTest FOLDER for its files. With "speed" as well, it times both.
 */
final class GirihTest {
    private static final Provider GIRIH = new GirihProvider();
    private static final Provider JAVA = Security.getProvider("SUN");
    private static final byte[] MESSAGE = new byte[100_001];

    private static void check(boolean claim, String text) {
        if (!claim) {
            throw new AssertionError(text);
        }
    }

    private interface Action {
        void run() throws Exception;
    }

    private static void refuses(Class<? extends Exception> type, String text, Action action)
            throws Exception {
        try {
            action.run();
        } catch (Exception error) {
            check(type.isInstance(error) && error.getMessage().contains(text), error.toString());
            return;
        }
        throw new AssertionError("not refused: " + text);
    }

    private static KeyPair generate(String name, Provider provider) throws Exception {
        return KeyPairGenerator.getInstance(name, provider).generateKeyPair();
    }

    private static byte[] sign(Provider provider, PrivateKey key) throws Exception {
        Signature signer = Signature.getInstance("ML-DSA", provider);
        signer.initSign((PrivateKey) KeyFactory.getInstance("ML-DSA", provider).translateKey(key));
        signer.update(MESSAGE, 0, 1);
        signer.update(ByteBuffer.wrap(MESSAGE, 1, MESSAGE.length - 2));
        signer.update(MESSAGE[MESSAGE.length - 1]);
        return signer.sign();
    }

    private static boolean verify(Provider provider, PublicKey key, byte[] message, byte[] signature)
            throws Exception {
        Signature verifier = Signature.getInstance("ML-DSA", provider);
        verifier.initVerify((PublicKey) KeyFactory.getInstance("ML-DSA", provider).translateKey(key));
        verifier.update(message);
        return verifier.verify(signature);
    }

    /** Keys and signatures of girih and Java's own, each with each. */
    private static void agreesWithJava(String name) throws Exception {
        for (Provider maker : List.of(GIRIH, JAVA)) {
            KeyPair pair = generate(name, maker);
            for (Provider signer : List.of(GIRIH, JAVA)) {
                byte[] signature = sign(signer, pair.getPrivate());
                for (Provider verifier : List.of(GIRIH, JAVA)) {
                    String who = name + ": " + maker + ", " + signer + ", " + verifier;
                    check(verify(verifier, pair.getPublic(), MESSAGE, signature), who);
                    check(!verify(verifier, pair.getPublic(), new byte[1], signature),
                            who + ", another message");
                }
                signature[signature.length / 2] ^= 1;
                check(!verify(GIRIH, pair.getPublic(), MESSAGE, signature), name + ": a changed signature");
                check(!verify(GIRIH, pair.getPublic(), MESSAGE, new byte[1]), name + ": a short signature");
            }
        }
    }

    private static String run(List<String> command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes());
        check(process.waitFor() == 0, command + ": " + output);
        return output;
    }

    /** The command's keys and signature are read, and it reads those of Java. */
    private static void agreesWithTheCommand(Path folder) throws Exception {
        String girih = System.getProperty("girih.command");
        String secret = folder.resolve("secret.der").toString(),
               publicFile = folder.resolve("public.der").toString();
        Path message = folder.resolve("message"), signature = folder.resolve("signature");
        Files.write(message, MESSAGE);
        run(List.of(girih, "keygen", "--force", "--alg", "ML-DSA-65", "--format", "der", "--secret", secret,
                "--public", publicFile));
        KeyFactory keys = KeyFactory.getInstance("ML-DSA-65", GIRIH);
        PublicKey publicKey =
                keys.generatePublic(new X509EncodedKeySpec(Files.readAllBytes(Path.of(publicFile))));
        check(Arrays.equals(publicKey.getEncoded(), Files.readAllBytes(Path.of(publicFile))),
                "the public key's encoding");
        for (String form : List.of("expanded", "seed", "both")) {
            Path file = folder.resolve(form);
            run(List.of(girih, "convert", "--force", "--format", "der", "--private-form", form, secret,
                    file.toString()));
            byte[] encoded = Files.readAllBytes(file);
            PrivateKey key = keys.generatePrivate(new PKCS8EncodedKeySpec(encoded));
            check(!form.equals("expanded") || Arrays.equals(key.getEncoded(), encoded),
                    "the private key's encoding");
            Files.write(signature, sign(GIRIH, key));
            run(List.of(girih, "verify", "--public", publicFile, "--signature", signature.toString(),
                    message.toString()));
            encoded[encoded.length - 1] ^= 1;
            if (!form.equals("seed")) {
                refuses(InvalidKeySpecException.class, "",
                        () -> keys.generatePrivate(new PKCS8EncodedKeySpec(encoded)));
            }
        }
        run(List.of(girih, "sign", "--force", "--secret", secret, "--signature", signature.toString(),
                message.toString()));
        check(verify(GIRIH, publicKey, MESSAGE, Files.readAllBytes(signature)), "the command's signature");
    }

    private static void misuseIsRefused() throws Exception {
        KeyPair pair = generate("ML-DSA-44", GIRIH);
        byte[] encoded = pair.getPublic().getEncoded(), secret = pair.getPrivate().getEncoded();
        KeyFactory keys = KeyFactory.getInstance("ML-DSA-44", GIRIH),
                   others = KeyFactory.getInstance("ML-DSA-65", GIRIH);
        for (int length : new int[] {0, 1, 34, encoded.length - 1, encoded.length + 1}) {
            byte[] cut = Arrays.copyOf(encoded, length), half = Arrays.copyOf(secret, length);
            refuses(InvalidKeySpecException.class, "public",
                    () -> keys.generatePublic(new X509EncodedKeySpec(cut)));
            refuses(InvalidKeySpecException.class, "private",
                    () -> keys.generatePrivate(new PKCS8EncodedKeySpec(half)));
        }
        refuses(InvalidKeySpecException.class, "ML-DSA-65",
                () -> others.generatePublic(new X509EncodedKeySpec(encoded)));
        refuses(InvalidKeyException.class, "ML-DSA-44",
                () -> Signature.getInstance("ML-DSA-65", GIRIH).initSign(pair.getPrivate()));
        secret[secret.length - 2000] ^= 1;
        refuses(InvalidKeySpecException.class, "ML-DSA-44",
                () -> keys.generatePrivate(new PKCS8EncodedKeySpec(secret)));
        pair.getPrivate().destroy();
        refuses(InvalidKeyException.class, "destroyed",
                () -> Signature.getInstance("ML-DSA", GIRIH).initSign(pair.getPrivate()));
    }

    /** Java's keytool, with this provider first, signs a certificate that Java's own ML-DSA verifies. */
    private static void keytoolSignsByGirih(Path folder) throws Exception {
        Path providers = folder.resolve("providers"), store = folder.resolve("keys.p12");
        List<String> lines = new ArrayList<>(List.of("security.provider.1=GirihProvider"));
        for (Provider provider : Security.getProviders()) {
            lines.add("security.provider." + (lines.size() + 1) + "=" + provider.getName());
        }
        Files.write(providers, lines);
        Files.deleteIfExists(store);
        String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        List<String> java = List.of(keytool, "-J--class-path=" + System.getProperty("java.class.path"),
                "-J-Dgirih.library=" + System.getProperty("girih.library"),
                "-J--enable-native-access=ALL-UNNAMED", "-J-Djava.security.properties=" + providers,
                "-J-Djava.security.debug=provider", "-keystore", store.toString(), "-storepass", "password",
                "-alias", "key");
        List<String> make = new ArrayList<>(java), export = new ArrayList<>(java);
        make.addAll(List.of("-genkeypair", "-keyalg", "ML-DSA-65", "-dname", "CN=girih"));
        String output = run(make);
        check(output.contains("Signature.ML-DSA signing algorithm from: Girih"), output);
        Path file = folder.resolve("certificate.der");
        export.addAll(List.of("-exportcert", "-file", file.toString()));
        run(export);
        byte[] der = Files.readAllBytes(file);
        X509Certificate certificate =
                (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(
                        new ByteArrayInputStream(der));
        certificate.verify(certificate.getPublicKey(), JAVA);
        certificate.verify(certificate.getPublicKey(), GIRIH);
    }

    /** Microseconds of the median operation on a message of 64 bytes, after a warm-up. */
    private static double time(Action action) throws Exception {
        long[] times = new long[2000];
        for (int round = 0; round < 2 * times.length; round++) {
            long start = System.nanoTime();
            action.run();
            times[round % times.length] = System.nanoTime() - start;
        }
        Arrays.sort(times);
        return times[times.length / 2] / 1e3;
    }

    private static void speed() throws Exception {
        byte[] message = new byte[64];
        for (Provider provider : List.of(GIRIH, JAVA)) {
            KeyPair pair = generate("ML-DSA-65", provider);
            Signature signer = Signature.getInstance("ML-DSA-65", provider),
                      verifier = Signature.getInstance("ML-DSA-65", provider);
            signer.initSign(pair.getPrivate());
            verifier.initVerify(pair.getPublic());
            signer.update(message);
            byte[] signature = signer.sign();
            double signing = time(() -> {
                signer.update(message);
                signer.sign();
            });
            double verifying = time(() -> {
                verifier.update(message);
                check(verifier.verify(signature), "a signature");
            });
            System.out.printf("ML-DSA-65 by %s: sign %.1f us, verify %.1f us%n", provider.getName(), signing,
                    verifying);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        for (int i = 0; i < MESSAGE.length; i++) {
            MESSAGE[i] = (byte) (i * i);
        }
        for (String name : List.of("ML-DSA-44", "ML-DSA-65", "ML-DSA-87")) {
            agreesWithJava(name);
        }
        agreesWithTheCommand(folder);
        misuseIsRefused();
        keytoolSignsByGirih(folder);
        System.out.println("6 passed, 0 failed");
        if (arguments.length > 1) {
            speed();
        }
    }
}
