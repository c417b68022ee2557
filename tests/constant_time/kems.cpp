#include <algorithm>

#include "steps.hpp"

namespace girih::test {
namespace {

/// A key pair that was made from secret randomness: from a seed, or from a request for every piece.
KeyPair generate(const girih_alg* alg, Steps& steps, bool piecewise)
{
    SecretRandom random;
    const girih_random source = random.source(piecewise);
    KeyPair key{alg};
    const auto keygen = piecewise ? girih_keygen : girih_keygen_checked;
    steps.expect("keygen", keygen(alg, &source, key.public_key.data(), key.public_key.size(),
                                  key.secret_key.data(), key.secret_key.size()));
    return key;
}

/// A secret key as it comes from a file: every byte of it secret, with bits of one of them set.
void import(const girih_alg* alg, Steps& steps, const KeyPair& key, int expected, std::size_t changed,
            std::uint8_t bits)
{
    Bytes secret_key = key.secret_key;
    secret_key[changed] = static_cast<std::uint8_t>(secret_key[changed] | bits);
    mark_secret(secret_key);
    Bytes public_key(key.public_key.size());
    steps.expect(
        "import",
        girih_public_key(alg, secret_key.data(), secret_key.size(), public_key.data(), public_key.size()),
        expected);
}

Bytes decapsulate(const girih_alg* alg, Steps& steps, const KeyPair& key, const Bytes& ciphertext)
{
    Bytes secret_key = key.secret_key;
    mark_secret(secret_key);
    Bytes shared_secret(girih_shared_secret_bytes(alg));
    steps.expect("decapsulate",
                 girih_decapsulate(alg, secret_key.data(), secret_key.size(), ciphertext.data(),
                                   ciphertext.size(), shared_secret.data(), shared_secret.size()));
    mark_public(shared_secret);  // to compare
    return shared_secret;
}

/// Prepared keys, and batches in which every other row has one.
void run_prepared(const girih_alg* alg, Steps& steps, const KeyPair& key)
{
    Bytes secret_key = key.secret_key;
    mark_secret(secret_key);
    std::vector<Line> encapsulation_memory(girih_encapsulation_key_size(alg) / sizeof(Line));
    std::vector<Line> decapsulation_memory(girih_decapsulation_key_size(alg) / sizeof(Line));
    girih_encapsulation_key* encapsulation_key = nullptr;
    girih_decapsulation_key* decapsulation_key = nullptr;
    steps.expect("prepare encapsulation key",
                 girih_prepare_encapsulation_key(
                     alg, key.public_key.data(), key.public_key.size(), encapsulation_memory.data(),
                     encapsulation_memory.size() * sizeof(Line), &encapsulation_key));
    steps.expect("prepare decapsulation key",
                 girih_prepare_decapsulation_key(
                     alg, secret_key.data(), secret_key.size(), decapsulation_memory.data(),
                     decapsulation_memory.size() * sizeof(Line), &decapsulation_key));

    SecretRandom random;
    const girih_random source = random.source();
    constexpr std::size_t count = 5;
    std::vector<Bytes> ciphertexts(count, Bytes(girih_ciphertext_bytes(alg)));
    std::vector<Bytes> sent(count, Bytes(girih_shared_secret_bytes(alg)));
    std::vector<Bytes> received = sent;
    std::vector<girih_encapsulate_row> encapsulate_rows;
    std::vector<girih_decapsulate_row> decapsulate_rows;
    for (std::size_t i = 0; i < count; ++i) {
        const bool is_prepared = i % 2 == 0;
        encapsulate_rows.push_back({is_prepared ? encapsulation_key : nullptr, key.public_key.data(),
                                    key.public_key.size(), &source, ciphertexts[i].data(),
                                    ciphertexts[i].size(), sent[i].data(), sent[i].size(),
                                    GIRIH_ERROR_ARGUMENT});
        decapsulate_rows.push_back({is_prepared ? decapsulation_key : nullptr, secret_key.data(),
                                    secret_key.size(), ciphertexts[i].data(), ciphertexts[i].size(),
                                    received[i].data(), received[i].size(), GIRIH_ERROR_ARGUMENT});
    }
    steps.expect("encapsulate many", girih_encapsulate_many(alg, encapsulate_rows.data(), count));
    ciphertexts[3][7] ^= 1;
    steps.expect("decapsulate many", girih_decapsulate_many(alg, decapsulate_rows.data(), count));
    for (std::size_t i = 0; i < count; ++i) {
        mark_public(sent[i]);  // to compare
        mark_public(received[i]);
        if ((sent[i] == received[i]) == (i == 3)) steps.expect("shared secret", GIRIH_ERROR_KEY_MISMATCH);
    }
    girih_wipe_decapsulation_key(decapsulation_key);
}

}  // namespace

void run_kem(const girih_alg* alg, Steps& steps)
{
    generate(alg, steps, true);
    const KeyPair key = generate(alg, steps, false);
    // The first bytes are of a polynomial: coefficients of two bits in NTRU Prime, of 12 in ML-KEM.
    // The public key's hash stands at the end, or, in ML-KEM, before the 32 bytes of z.
    const bool is_ml_kem = girih_encapsulation_key_size(alg) != 0;
    import(alg, steps, key, GIRIH_OK, 0, 0);
    import(alg, steps, key, GIRIH_ERROR_SECRET_KEY, is_ml_kem ? 1 : 0, 0xFF);
    import(alg, steps, key, GIRIH_ERROR_KEY_MISMATCH, key.secret_key.size() - (is_ml_kem ? 33 : 1), 0xFF);

    SecretRandom random;
    const girih_random source = random.source();
    Bytes ciphertext(girih_ciphertext_bytes(alg));
    Bytes shared_secret(girih_shared_secret_bytes(alg));
    steps.expect("encapsulate", girih_encapsulate(alg, &source, key.public_key.data(), key.public_key.size(),
                                                  ciphertext.data(), ciphertext.size(), shared_secret.data(),
                                                  shared_secret.size()));
    mark_public(shared_secret);  // to compare
    if (decapsulate(alg, steps, key, ciphertext) != shared_secret)
        steps.expect("shared secret", GIRIH_ERROR_KEY_MISMATCH);
    for (const std::size_t place : {std::size_t{0}, ciphertext.size() - 1}) {
        Bytes changed = ciphertext;
        changed[place] ^= 1;
        if (decapsulate(alg, steps, key, changed) == shared_secret)
            steps.expect("implicit rejection", GIRIH_ERROR_KEY_MISMATCH);
    }

    std::vector<KeyPair> pairs(3, KeyPair{alg});
    std::vector<girih_keygen_row> rows;
    for (KeyPair& pair : pairs)
        rows.push_back({nullptr, 0, &source, pair.public_key.data(), pair.public_key.size(),
                        pair.secret_key.data(), pair.secret_key.size(), GIRIH_ERROR_ARGUMENT});
    steps.expect("keygen many", girih_keygen_many(alg, rows.data(), rows.size()));
    if (pairs[0].public_key == pairs[1].public_key) steps.expect("keygen many", GIRIH_ERROR_RANDOM);
    if (is_ml_kem) run_prepared(alg, steps, key);
}

}  // namespace girih::test
