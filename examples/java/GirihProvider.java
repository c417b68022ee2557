import java.security.*;
import java.security.spec.*;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** A JCA provider of ML-DSA (FIPS 204) by girih: key pairs, keys in files (RFC 9881), signatures. */
public final class GirihProvider extends Provider {
    private static final int SEED_BYTES = 32;

    /** A parameter set. Its object identifier is 2.16.840.1.101.3.4.3 and the last number. */
    private record Set(Girih girih, byte last, NamedParameterSpec spec) {
        Set(String name, int last) {
            this(new Girih(name), (byte) last, new NamedParameterSpec(name));
        }

        /** An encoded public key: its last bytes are the key. */
        byte[] encodePublic(byte[] key) {
            return der(0x30, identifier(), der(0x03, new byte[1], key));
        }

        /** An encoded private key, around one of the forms of RFC 9881, Section 6. */
        byte[] encodePrivate(byte[] form) {
            return der(0x30, new byte[] {2, 1, 0}, identifier(), der(0x04, form));
        }

        private byte[] identifier() {
            return der(0x30, der(0x06, new byte[] {0x60, (byte) 0x86, 0x48, 1, 0x65, 3, 4, 3, last}));
        }
    }

    private static final List<Set> SETS =
            List.of(new Set("ML-DSA-44", 17), new Set("ML-DSA-65", 18), new Set("ML-DSA-87", 19));

    public GirihProvider() {
        super("Girih", "0.2", "ML-DSA by girih");
        for (Set set : SETS) {
            List<String> alias = List.of("2.16.840.1.101.3.4.3." + set.last);
            put("KeyPairGenerator", set, alias, () -> new Generator(set));
            put("KeyFactory", set, alias, () -> new Keys(set));
            put("Signature", set, alias, () -> new Signer(set));
        }
        put("KeyFactory", null, List.of(), () -> new Keys(null));
        put("Signature", null, List.of(), () -> new Signer(null));
    }

    private interface Maker {
        Object make();
    }

    /** A service of a parameter set, or, if it is null, of all: "ML-DSA". */
    private void put(String type, Set set, List<String> aliases, Maker maker) {
        String name = set == null ? "ML-DSA" : set.girih.name;
        putService(new Service(this, type, name, GirihProvider.class.getName(), aliases, null) {
            @Override
            public Object newInstance(Object parameter) {
                return maker.make();
            }
        });
    }

    /** DER of contents in a tag. */
    private static byte[] der(int tag, byte[]... contents) {
        int length = Stream.of(contents).mapToInt(content -> content.length).sum();
        byte[] header = length < 0x80 ? new byte[] {(byte) tag, (byte) length}
                : length < 0x100      ? new byte[] {(byte) tag, (byte) 0x81, (byte) length}
                                 : new byte[] {(byte) tag, (byte) 0x82, (byte) (length >> 8), (byte) length};
        byte[] all = Arrays.copyOf(header, header.length + length);
        int at = header.length;
        for (byte[] content : contents) {
            System.arraycopy(content, 0, all, at, content.length);
            at += content.length;
        }
        return all;
    }

    private abstract static class Encoded implements AsymmetricKey {
        final Set set;
        final byte[] bytes, publicKey;

        Encoded(Set set, byte[] bytes, byte[] publicKey) {
            this.set = set;
            this.bytes = bytes;
            this.publicKey = publicKey;
        }

        @Override
        public String getAlgorithm() {
            return "ML-DSA";
        }

        @Override
        public AlgorithmParameterSpec getParams() {
            return set.spec;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Encoded key && key.getClass() == getClass()
                    && MessageDigest.isEqual(bytes, key.bytes);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(publicKey);
        }
    }

    private static final class Public extends Encoded implements PublicKey {
        Public(Set set, byte[] bytes) {
            super(set, bytes, bytes);
        }

        @Override
        public String getFormat() {
            return "X.509";
        }

        @Override
        public byte[] getEncoded() {
            return set.encodePublic(bytes);
        }
    }

    private static final class Private extends Encoded implements PrivateKey {
        private boolean destroyed;

        Private(Set set, byte[] bytes) {
            super(set, bytes, set.girih.publicKey(bytes));
        }

        @Override
        public String getFormat() {
            return "PKCS#8";
        }

        /** The expanded form, which alone Java 24 and 25 read. */
        @Override
        public byte[] getEncoded() {
            return destroyed ? null : set.encodePrivate(der(0x04, bytes));
        }

        @Override
        public void destroy() {
            Arrays.fill(bytes, (byte) 0);
            destroyed = true;
        }

        @Override
        public boolean isDestroyed() {
            return destroyed;
        }
    }

    private static final class Generator extends KeyPairGeneratorSpi {
        private final Set set;

        Generator(Set set) {
            this.set = set;
        }

        @Override
        public void initialize(int size, SecureRandom random) {
            throw new InvalidParameterException(set.girih.name + " has keys of one size");
        }

        @Override
        public void initialize(AlgorithmParameterSpec parameters, SecureRandom random)
                throws InvalidAlgorithmParameterException {
            if (!(parameters instanceof NamedParameterSpec named)
                    || !named.getName().equals(set.girih.name)) {
                throw new InvalidAlgorithmParameterException("the parameters of " + set.girih.name);
            }
        }

        /** The library draws its own randomness. */
        @Override
        public KeyPair generateKeyPair() {
            byte[][] pair = set.girih.generate(null);
            return new KeyPair(new Public(set, pair[0]), new Private(set, pair[1]));
        }
    }

    private static final class Keys extends KeyFactorySpi {
        private final Set only;

        Keys(Set only) {
            this.only = only;
        }

        private List<Set> sets() {
            return only == null ? SETS : List.of(only);
        }

        private InvalidKeySpecException refusal(String what) {
            return new InvalidKeySpecException(
                    "not " + what + " of " + (only == null ? "ML-DSA" : only.girih.name));
        }

        /** The last bytes of an encoding: what they encode to tells whether all of it is right. */
        private static byte[] last(byte[] encoded, int count) {
            return Arrays.copyOfRange(encoded, Math.max(0, encoded.length - count), encoded.length);
        }

        @Override
        protected PublicKey engineGeneratePublic(KeySpec spec) throws InvalidKeySpecException {
            if (spec instanceof X509EncodedKeySpec encoded) {
                for (Set set : sets()) {
                    byte[] key = last(encoded.getEncoded(), set.girih.publicBytes);
                    if (Arrays.equals(set.encodePublic(key), encoded.getEncoded())) {
                        return new Public(set, key);
                    }
                }
            }
            throw refusal("a public key");
        }

        @Override
        protected PrivateKey engineGeneratePrivate(KeySpec spec) throws InvalidKeySpecException {
            try {
                if (spec instanceof PKCS8EncodedKeySpec encoded) {
                    for (Set set : sets()) {
                        byte[] key = read(set, encoded.getEncoded());
                        if (key != null) {
                            return new Private(set, key);
                        }
                    }
                }
            } catch (Girih.Failure failure) {
                throw new InvalidKeySpecException(failure.getMessage());
            }
            throw refusal("a private key");
        }

        /** The expanded key of each form: the seed, the expanded key, or both, which have to agree. */
        private static byte[] read(Set set, byte[] encoded) {
            byte[] seed = last(encoded, SEED_BYTES), key = last(encoded, set.girih.secretBytes);
            if (Arrays.equals(set.encodePrivate(der(0x80, seed)), encoded)) {
                return set.girih.generate(seed)[1];
            }
            if (Arrays.equals(set.encodePrivate(der(0x04, key)), encoded)) {
                return key;
            }
            int before = encoded.length - key.length - 4 - SEED_BYTES;
            byte[] first = Arrays.copyOfRange(encoded, Math.max(0, before), Math.max(0, before) + SEED_BYTES);
            byte[] both = set.encodePrivate(der(0x30, der(0x04, first), der(0x04, key)));
            boolean agrees = Arrays.equals(both, encoded) && Arrays.equals(set.girih.generate(first)[1], key);
            return agrees ? key : null;
        }

        @Override
        protected <T extends KeySpec> T engineGetKeySpec(Key key, Class<T> type)
                throws InvalidKeySpecException {
            EncodedKeySpec spec = key instanceof PublicKey ? new X509EncodedKeySpec(key.getEncoded())
                                                           : new PKCS8EncodedKeySpec(key.getEncoded());
            if (!type.isInstance(spec)) {
                throw refusal("a key with " + type.getName());
            }
            return type.cast(spec);
        }

        @Override
        protected Key engineTranslateKey(Key key) throws InvalidKeyException {
            try {
                if (key instanceof Encoded) {
                    return key;
                }
                return key instanceof PublicKey
                        ? engineGeneratePublic(new X509EncodedKeySpec(key.getEncoded()))
                        : engineGeneratePrivate(new PKCS8EncodedKeySpec(key.getEncoded()));
            } catch (InvalidKeySpecException error) {
                throw new InvalidKeyException(error.getMessage());
            }
        }
    }

    private static final class Signer extends SignatureSpi {
        private final Keys keys;
        private Encoded key;
        private Girih.Message message;

        Signer(Set set) {
            keys = new Keys(set);
        }

        @Override
        protected void engineInitSign(PrivateKey given) throws InvalidKeyException {
            begin((Private) keys.engineTranslateKey(given));
        }

        @Override
        protected void engineInitVerify(PublicKey given) throws InvalidKeyException {
            begin((Public) keys.engineTranslateKey(given));
        }

        private void begin(Encoded given) throws InvalidKeyException {
            if (given instanceof Private secret && secret.destroyed) {
                throw new InvalidKeyException("the key was destroyed");
            }
            if (keys.only != null && keys.only != given.set) {
                throw new InvalidKeyException(
                        "a key of " + given.set.girih.name + ", not " + keys.only.girih.name);
            }
            key = given;
            message = given.set.girih.new Message(given.publicKey);
        }

        @Override
        protected void engineUpdate(byte piece) {
            engineUpdate(new byte[] {piece}, 0, 1);
        }

        @Override
        protected void engineUpdate(byte[] piece, int offset, int count) {
            message.update(piece, offset, count);
        }

        @Override
        protected byte[] engineSign() throws SignatureException {
            try {
                return key.set.girih.sign(key.bytes, message.mu());
            } catch (Girih.Failure failure) {
                throw new SignatureException(failure.getMessage());
            }
        }

        @Override
        protected boolean engineVerify(byte[] signature) {
            return key.set.girih.verify(key.publicKey, message.mu(), signature);
        }

        @Override
        @Deprecated
        protected void engineSetParameter(String name, Object value) {
            throw new UnsupportedOperationException("ML-DSA has no parameters here");
        }

        @Override
        @Deprecated
        protected Object engineGetParameter(String name) {
            throw new UnsupportedOperationException("ML-DSA has no parameters here");
        }
    }
}
