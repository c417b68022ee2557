import java.lang.foreign.*;
import java.lang.invoke.MethodHandle;

/**
 * ML-DSA by the flat functions of girih.h, with the bytes of keys and signatures. The library is
 * found as the system finds libraries, or by its path in the property girih.library.
 */
final class Girih {
    /** A failure of the library: its text, with the algorithm's name. */
    static final class Failure extends RuntimeException {
        Failure(String message) {
            super(message);
        }
    }

    private static final AddressLayout P = ValueLayout.ADDRESS;
    private static final ValueLayout.OfLong L = ValueLayout.JAVA_LONG;
    private static final int ERROR_SIGNATURE = -7;
    private static final int MESSAGE_BYTES = 640, MU_BYTES = 64, PIECE_BYTES = 1 << 14;
    private static final SymbolLookup LIBRARY =
            SymbolLookup.libraryLookup(System.getProperty("girih.library", "libgirih.so"), Arena.global());
    private static final MethodHandle ALGORITHM = function("girih_algorithm", P, P);
    private static final MethodHandle TEXT = function("girih_error_text", P, ValueLayout.JAVA_INT);
    private static final MethodHandle PUBLIC_BYTES = function("girih_public_key_bytes", L, P);
    private static final MethodHandle SECRET_BYTES = function("girih_secret_key_bytes", L, P);
    private static final MethodHandle SIGNATURE_BYTES = function("girih_signature_bytes", L, P);
    private static final MethodHandle KEYGEN = failing("girih_keygen", P, P, P, L, P, L);
    private static final MethodHandle FROM_SEED = failing("girih_keygen_from_seed", P, P, L, P, L, P, L);
    private static final MethodHandle PUBLIC_KEY = failing("girih_public_key", P, P, L, P, L);
    private static final MethodHandle BEGIN = failing("girih_message_begin", P, P, P, L, P);
    private static final MethodHandle UPDATE = failing("girih_message_update", P, P, L);
    private static final MethodHandle MU = failing("girih_message_mu", P, P, L);
    private static final MethodHandle SIGN_MU = failing("girih_sign_mu", P, P, L, P, L, P, P, L, P);
    private static final MethodHandle VERIFY_MU = failing("girih_verify_mu", P, P, L, P, L, P, L);
    private static final MemorySegment NULL = MemorySegment.NULL;

    private static MethodHandle function(String name, MemoryLayout result, MemoryLayout... arguments) {
        FunctionDescriptor types = FunctionDescriptor.of(result, arguments);
        return Linker.nativeLinker().downcallHandle(LIBRARY.findOrThrow(name), types);
    }

    private static MethodHandle failing(String name, MemoryLayout... arguments) {
        return function(name, ValueLayout.JAVA_INT, arguments);
    }

    /** A call of a function through its handle. */
    private interface Call<T> {
        T call() throws Throwable;
    }

    private static <T> T of(Call<T> call) {
        try {
            return call.call();
        } catch (RuntimeException | Error unchecked) {
            throw unchecked;
        } catch (Throwable impossible) {
            throw new AssertionError(impossible);
        }
    }

    final String name;
    final int publicBytes, secretBytes, signatureBytes;
    private final MemorySegment algorithm;

    Girih(String name) {
        this.name = name;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocateFrom(name);
            algorithm = of(() -> (MemorySegment) ALGORITHM.invokeExact(text));
        }
        if (algorithm.equals(NULL)) {
            throw new Failure("there is no algorithm " + name);
        }
        publicBytes = (int) (long) of(() -> (long) PUBLIC_BYTES.invokeExact(algorithm));
        secretBytes = (int) (long) of(() -> (long) SECRET_BYTES.invokeExact(algorithm));
        signatureBytes = (int) (long) of(() -> (long) SIGNATURE_BYTES.invokeExact(algorithm));
    }

    private void check(int code) {
        if (code != 0) {
            MemorySegment text = of(() -> (MemorySegment) TEXT.invokeExact(code));
            throw new Failure(name + ": " + text.reinterpret(Long.MAX_VALUE).getString(0));
        }
    }

    private static MemorySegment in(Arena arena, byte[] bytes) {
        return arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes);
    }

    private static byte[] bytes(MemorySegment segment) {
        return segment.toArray(ValueLayout.JAVA_BYTE);
    }

    /** The public and the secret key of a seed; a null seed is drawn by the library. */
    byte[][] generate(byte[] seed) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment publicKey = arena.allocate(publicBytes), secret = arena.allocate(secretBytes);
            MemorySegment drawn = seed == null ? NULL : in(arena, seed);
            try {
                check(of(()
                                 -> seed == null
                                ? (int) KEYGEN.invokeExact(algorithm, NULL, publicKey, publicKey.byteSize(),
                                          secret, secret.byteSize())
                                : (int) FROM_SEED.invokeExact(algorithm, drawn, drawn.byteSize(), publicKey,
                                          publicKey.byteSize(), secret, secret.byteSize())));
                return new byte[][] {bytes(publicKey), bytes(secret)};
            } finally {
                secret.fill((byte) 0);
                drawn.fill((byte) 0);
            }
        }
    }

    /** The public key of a secret key, with every check that the secret key's encoding allows. */
    byte[] publicKey(byte[] secretKey) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment secret = in(arena, secretKey), publicKey = arena.allocate(publicBytes);
            try {
                check(of(()
                                 -> (int) PUBLIC_KEY.invokeExact(algorithm, secret, secret.byteSize(),
                                         publicKey, publicKey.byteSize())));
                return bytes(publicKey);
            } finally {
                secret.fill((byte) 0);
            }
        }
    }

    byte[] sign(byte[] secretKey, byte[] mu) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment secret = in(arena, secretKey), hash = in(arena, mu);
            MemorySegment out = arena.allocate(signatureBytes), length = arena.allocate(L);
            try {
                check(of(()
                                 -> (int) SIGN_MU.invokeExact(algorithm, secret, secret.byteSize(), hash,
                                         hash.byteSize(), NULL, out, out.byteSize(), length)));
                return bytes(out.asSlice(0, length.get(L, 0)));
            } finally {
                secret.fill((byte) 0);
            }
        }
    }

    boolean verify(byte[] publicKey, byte[] mu, byte[] signature) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment key = in(arena, publicKey), hash = in(arena, mu), sig = in(arena, signature);
            int code = of(()
                                  -> (int) VERIFY_MU.invokeExact(algorithm, key, key.byteSize(), hash,
                                          hash.byteSize(), sig, sig.byteSize()));
            if (code != ERROR_SIGNATURE) {
                check(code);
            }
            return code == 0;
        }
    }

    /** Messages in pieces, of any size, one after the other; mu ends one, and is what is signed. */
    final class Message {
        private final Arena arena = Arena.ofAuto();
        private final MemorySegment begun = arena.allocate(MESSAGE_BYTES, 8),
                                    state = arena.allocate(MESSAGE_BYTES, 8);
        private final MemorySegment piece = arena.allocate(PIECE_BYTES), mu = arena.allocate(MU_BYTES);

        Message(byte[] publicKey) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment key = in(arena, publicKey);
                check(of(() -> (int) BEGIN.invokeExact(begun, algorithm, key, key.byteSize(), NULL)));
            }
            state.copyFrom(begun);
        }

        void update(byte[] bytes, int offset, int count) {
            for (int at = 0; at < count; at += PIECE_BYTES) {
                int now = Math.min(PIECE_BYTES, count - at);
                MemorySegment.copy(bytes, offset + at, piece, ValueLayout.JAVA_BYTE, 0, now);
                check(of(() -> (int) UPDATE.invokeExact(state, piece, (long) now)));
            }
        }

        byte[] mu() {
            check(of(() -> (int) MU.invokeExact(state, mu, mu.byteSize())));
            state.copyFrom(begun);
            return bytes(mu);
        }
    }
}
