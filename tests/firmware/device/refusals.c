/* Every error that a call can cause, and what happens to outputs. The same program on the host
 * prints the same lines, but for those that begin with !, where the library for devices differs. */
#include "board.h"

static uint8_t public_key[1312], secret_key[2560], signature[2420], keep[2560];
static uint8_t seed[64] = {1}, message[20] = {2}, mu[64], shared[32], ciphertext[1088];
static size_t bytes;

static int fill(void* state, uint8_t* out, size_t count)
{
    (void)state;
    for (size_t i = 0; i < count; ++i) out[i] = (uint8_t)i;
    return 0;
}
static int fail(void* state, uint8_t* out, size_t count)
{
    (void)state, (void)out, (void)count;
    return 1;
}
static const girih_random good = {fill, 0, 0}, bad = {fail, 0, 0}, odd = {fill, 0, 2};

static int is_zero(const uint8_t* at, size_t count)
{
    while (count > 0 && *at == 0) ++at, --count;
    return count == 0;
}
static int sign(const girih_alg* alg, const girih_options* options)
{
    for (size_t i = 0; i < sizeof signature; ++i) signature[i] = 7;
    bytes = 7;
    return girih_sign(alg, secret_key, girih_secret_key_bytes(alg), message, sizeof message, options,
                      signature, girih_signature_bytes(alg), &bytes);
}
static int verify(const girih_alg* alg, const girih_options* options)
{
    return girih_verify(alg, public_key, girih_public_key_bytes(alg), message, sizeof message, options,
                        signature, bytes);
}
static void keygen(const char* name, const girih_alg* alg)
{
    print(name);
    print_number(" keygen", girih_keygen_from_seed(alg, seed, girih_seed_bytes(alg), public_key,
                                                   girih_public_key_bytes(alg), secret_key,
                                                   girih_secret_key_bytes(alg)));
    for (size_t i = 0; i < girih_secret_key_bytes(alg); ++i) keep[i] = secret_key[i];
}
static void show_zeroed(const girih_alg* alg)
{
    print_number("  zeroed", is_zero(signature, girih_signature_bytes(alg)) && bytes == 0);
}

static void ml_dsa(void)
{
    const girih_alg* const alg = girih_algorithm("mldsa44");
    const girih_alg* const verifying = girih_ml_dsa_44_verifying();
    const girih_options plain = {.random = &good}, checked = {.random = &good, .verify_after_sign = 1},
                        context = {.random = &good, .context = message, .context_bytes = 20},
                        long_context = {.random = &good, .context = secret_key, .context_bytes = 256},
                        no_context = {.context_bytes = 1}, hashed = {.random = &good, .pre_hash = "SHA2-256"},
                        unknown = {.random = &good, .pre_hash = "MD5"},
                        reserved = {.random = &good, .reserved = {0, 1}}, failing = {.random = &bad},
                        strange = {.random = &odd}, fixed = {.deterministic = 1};
    girih_message pieces;
    keygen(girih_name(alg), alg);
    print_number("self-test", girih_selftest(alg, 0));
    print_number("self-test of a null", girih_selftest(0, 0));
    print_number("self-test of one that only verifies", girih_selftest(verifying, 0));
    print_number("self-test on the engine in use", girih_selftest(alg, girih_engine()));
    print_number("self-test on no engine", girih_selftest(alg, "none"));
    print_number("null", sign(0, &plain));
    print_number("only verifies", sign(verifying, &plain));
    print_number("reserved", sign(alg, &reserved));
    show_zeroed(alg);
    print_number("context over 255", sign(alg, &long_context));
    print_number("null context", sign(alg, &no_context));
    print_number("unknown pre-hash", sign(alg, &unknown));
    print_number("! pre-hash", sign(alg, &hashed));
    print_number("failing source", sign(alg, &failing));
    show_zeroed(alg);
    print_number("source of no kind", sign(alg, &strange));
    print_number("short output",
                 girih_sign(alg, secret_key, 2560, message, 20, &plain, signature, 2419, &bytes));
    print_number("no length", girih_sign(alg, secret_key, 2560, message, 20, &plain, signature, 2420, 0));
    print_number("no message", girih_sign(alg, secret_key, 2560, 0, 1, &plain, signature, 2420, &bytes));
    print_number("short key",
                 girih_sign(alg, secret_key, 2559, message, 20, &plain, signature, 2420, &bytes));
    print_number("! overlap",
                 girih_sign(alg, secret_key, 2560, signature, 20, &plain, signature, 2420, &bytes));
    print_number("outputs overlap", girih_sign(alg, secret_key, 2560, message, 20, &plain, signature, 2420,
                                               (size_t*)(void*)signature));
    secret_key[128] = 7;
    print_number("s1 out of range", sign(alg, &plain));
    print_number("s1 out of range", girih_public_key(alg, secret_key, 2560, public_key, 1312));
    print_number("  zeroed", is_zero(public_key, 1312));
    secret_key[128] = keep[128], secret_key[64] ^= 1;
    print_number("another tr", girih_public_key(alg, secret_key, 2560, public_key, 1312));
    print_number("another tr, checked", sign(alg, &checked));
    show_zeroed(alg);
    secret_key[64] ^= 1;
    print_number("public key", girih_public_key(alg, secret_key, 2560, public_key, 1312));
    print_number("checked", sign(alg, &checked));
    print_number("verify", verify(alg, 0));
    print_number("verify", verify(verifying, 0));
    print_number("context", verify(alg, &context));
    print_number("fixed", sign(alg, &fixed));
    print_bytes("signature", signature, bytes);
    print_number("with context", sign(alg, &context));
    print_number("verify", verify(alg, &context));
    signature[100] ^= 1;
    print_number("changed", verify(alg, &context));
    print_number("short", girih_verify(alg, public_key, 1312, message, 20, 0, signature, 2419));

    print_number("begin", girih_message_begin_secret(&pieces, alg, secret_key, 2560, &context));
    print_number("update", girih_message_update(&pieces, message, 5));
    print_number("within", girih_message_update(&pieces, (const uint8_t*)&pieces + 3, 5));
    print_number("null", girih_message_update(&pieces, 0, 5));
    print_number("update", girih_message_update(&pieces, message + 5, 15));
    print_number("short mu", girih_message_mu(&pieces, mu, 63));
    print_number("mu", girih_message_mu(&pieces, mu, 64));
    print_number("mu twice", girih_message_mu(&pieces, shared, 32));
    print_number("sign mu", girih_sign_mu(alg, secret_key, 2560, mu, 64, &plain, signature, 2420, &bytes));
    print_number("sign mu with context",
                 girih_sign_mu(alg, secret_key, 2560, mu, 64, &context, keep, 2420, &bytes));
    print_number("verify", girih_verify(alg, public_key, 1312, message, 20, &context, signature, 2420));
    print_number("only verifies", girih_message_begin_secret(&pieces, verifying, secret_key, 2560, 0));
    print_number("begin", girih_message_begin(&pieces, verifying, public_key, 1312, &context));
    print_number("update", girih_message_update(&pieces, message, 20));
    print_number("mu", girih_message_mu(&pieces, mu, 64));
    print_number("verify mu", girih_verify_mu(verifying, public_key, 1312, mu, 64, signature, 2420));
    print_number("not Falcon", girih_message_begin_signing(&pieces, alg, &plain));
    print_number("keygen checked", girih_keygen_checked(alg, &good, public_key, 1312, secret_key, 2560));
    print_number("keygen", girih_keygen(alg, &bad, public_key, 1312, secret_key, 2560));
    print_number("  zeroed", is_zero(public_key, 1312) && is_zero(secret_key, 2560));
    print_number("keys overlap", girih_keygen(alg, &good, secret_key, 1312, secret_key, 2560));
    print_number("! no source of the application", girih_keygen(alg, 0, public_key, 1312, secret_key, 2560));
}

static void falcon(void)
{
    const girih_alg* const alg = girih_falcon_512();
    const girih_alg* const verifying = girih_falcon_512_verifying();
    const girih_options plain = {.random = &good}, checked = {.random = &good, .verify_after_sign = 1},
                        context = {.random = &good, .context = message, .context_bytes = 20},
                        fixed = {.deterministic = 1};
    girih_message pieces;
    print_number("self-test", girih_selftest(alg, 0));
    keygen("Falcon", alg);
    print_number("fixed", sign(alg, &fixed));
    print_number("context", sign(alg, &context));
    show_zeroed(alg);
    secret_key[0] ^= 1;
    print_number("header", sign(alg, &plain));
    secret_key[0] ^= 1, secret_key[500] ^= 2;
    print_number("wrong g, F or G", sign(alg, &plain));
    print_number("wrong g, F or G", girih_public_key(alg, secret_key, 1281, public_key, 897));
    secret_key[500] ^= 2;
    print_number("public key", girih_public_key(alg, secret_key, 1281, public_key, 897));
    print_number("sign", sign(alg, &checked));
    print_bytes("signature", signature, bytes);
    print_number("verify", verify(verifying, 0));
    public_key[1] = 0xFF, public_key[2] |= 0xFC;
    print_number("malformed key", verify(alg, 0));
    bytes = 30;
    print_number("malformed key, short", verify(alg, 0));
    print_number("public key", girih_public_key(alg, secret_key, 1281, public_key, 897));
    print_number("short", verify(alg, 0));
    print_number("begin", girih_message_begin_signing(&pieces, alg, &plain));
    print_number("update", girih_message_update(&pieces, message, 20));
    print_number("not mu", girih_message_mu(&pieces, mu, 64));
    print_number("sign", girih_message_sign(&pieces, secret_key, 1281, &checked, signature, 752, &bytes));
    print_bytes("signature", signature, bytes);
    print_number("verify", verify(alg, 0));
    print_number("begin", girih_message_begin_verifying(&pieces, verifying, signature, bytes, 0));
    print_number("update", girih_message_update(&pieces, message, 20));
    signature[5] ^= 1;
    print_number("another salt", girih_message_verify(&pieces, public_key, 897, signature, bytes));
    signature[5] ^= 1;
    print_number("ended", girih_message_verify(&pieces, public_key, 897, signature, bytes));
    print_number("begin", girih_message_begin_verifying(&pieces, verifying, signature, bytes, 0));
    print_number("update", girih_message_update(&pieces, message, 20));
    print_number("verify", girih_message_verify(&pieces, public_key, 897, signature, bytes));
    print_number("only verifies", girih_message_begin_signing(&pieces, verifying, &plain));
}

static void ml_kem(void)
{
    const girih_alg* const alg = girih_ml_kem_768();
    print_number("self-test", girih_selftest(alg, 0));
    keygen("ML-KEM", alg);
    print_number("encapsulate",
                 girih_encapsulate(alg, &good, public_key, 1184, ciphertext, 1088, shared, 32));
    print_bytes("shared", shared, 32);
    print_number("decapsulate", girih_decapsulate(alg, secret_key, 2400, ciphertext, 1088, shared, 32));
    print_bytes("shared", shared, 32);
    print_number("decapsulate checked",
                 girih_decapsulate_checked(alg, secret_key, 2400, ciphertext, 1088, shared, 32));
    print_bytes("shared", shared, 32);
    print_number("short checked",
                 girih_decapsulate_checked(alg, secret_key, 2400, ciphertext, 1087, shared, 32));
    print_number("  zeroed", is_zero(shared, 32));
    print_number("short", girih_decapsulate(alg, secret_key, 2400, ciphertext, 1087, shared, 32));
    print_number("  zeroed", is_zero(shared, 32));
    print_number("! overlap", girih_decapsulate(alg, secret_key, 2400, ciphertext, 1088, ciphertext, 32));
    secret_key[2350] ^= 1;
    print_number("hash of the key", girih_decapsulate(alg, secret_key, 2400, ciphertext, 1088, shared, 32));
    secret_key[2350] ^= 1, public_key[0] = 0xFF, public_key[1] |= 15;
    print_number("malformed key",
                 girih_encapsulate(alg, &good, public_key, 1184, ciphertext, 1088, shared, 32));
    print_number("  zeroed", is_zero(ciphertext, 1088) && is_zero(shared, 32));
    print_number("no signature", sign(alg, 0));
    print_number("keygen checked", girih_keygen_checked(alg, &good, public_key, 1184, secret_key, 2400));
}

int main(void)
{
    ml_dsa();
    falcon();
    ml_kem();
    print_number("unknown", girih_algorithm("RSA") == 0);
    print(girih_error_text(GIRIH_ERROR_OVERLAP));
    print("\n");
    return 0;
}
