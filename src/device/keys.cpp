/// Key pairs.
#include "device/algorithm.hpp"

using namespace girih;
using namespace girih::device;

namespace {

/// The outputs of a function that makes a key pair.
struct PairCall {
    const girih_alg* alg;
    Byte* public_key;
    std::size_t public_key_bytes;
    Byte* secret_key;
    std::size_t secret_key_bytes;

    [[nodiscard]] int check_apart(const Piece& input) const
    {
        const std::array pieces{Piece{public_key, public_key_bytes}, Piece{secret_key, secret_key_bytes},
                                input};
        return device::check_apart(pieces, 2);
    }
    [[nodiscard]] int check() const
    {
        GIRIH_TRY(check_has(alg, &girih_alg::keygen));
        GIRIH_TRY(check_public_key(*alg, public_key, public_key_bytes));
        return check_secret_key(*alg, secret_key, secret_key_bytes);
    }
    [[nodiscard]] int finish(int error) const
    {
        (void)device::finish(error, public_key, public_key_bytes);
        return device::finish(error, secret_key, secret_key_bytes);
    }
};

int make_from_seed(const PairCall& call, const Byte* seed, std::size_t seed_bytes)
{
    GIRIH_TRY(call.check());
    GIRIH_TRY(check(seed, seed_bytes, call.alg->seed_bytes));
    call.alg->keygen(seed, call.public_key, call.secret_key);
    return GIRIH_OK;
}

int make_at_random(const PairCall& call, const girih_random* random)
{
    GIRIH_TRY(call.check());
    const girih_alg& alg = *call.alg;
    if (random != nullptr && random->piecewise == 1 && alg.keygen_piecewise != nullptr)
        return alg.keygen_piecewise(*random, call.public_key, call.secret_key);
    Wiped<std::array<Byte, max_seed_bytes>> seed{uninitialized};
    GIRIH_TRY(draw(random, BytesOut<>{*seed}.first(alg.seed_bytes)));
    alg.keygen(seed->data(), call.public_key, call.secret_key);
    return GIRIH_OK;
}

/// Randomness for results that are discarded: SHAKE256 of the secret key.
int squeeze(void* hash, uint8_t* out, size_t bytes)
{
    static_cast<Hash*>(hash)->squeeze({out, bytes});
    return 0;
}

/// Signs and verifies a message.
int check_signing(const PairCall& pair, const girih_options& options)
{
    static constexpr std::array<Byte, 14> message{'p', 'a', 'i', 'r', 'w', 'i', 's',
                                                  'e', ' ', 'c', 'h', 'e', 'c', 'k'};
    const std::size_t capacity = pair.alg->signature_bytes;
    auto* const signature = static_cast<Byte*>(__builtin_alloca(capacity));
    std::size_t bytes = 0;
    int error = girih_sign(pair.alg, pair.secret_key, pair.secret_key_bytes, message.data(), message.size(),
                           &options, signature, capacity, &bytes);
    if (error == GIRIH_OK)
        error = girih_verify(pair.alg, pair.public_key, pair.public_key_bytes, message.data(), message.size(),
                             nullptr, signature, bytes);
    wipe_memory(signature, capacity);
    return error;
}

/// Encapsulates and decapsulates a shared secret.
int check_encapsulation(const PairCall& pair, const girih_options& options)
{
    Wiped<std::array<Byte, 32>> sent;
    Wiped<std::array<Byte, 32>> received;
    const std::size_t ciphertext_bytes = pair.alg->ciphertext_bytes;
    auto* const ciphertext = static_cast<Byte*>(__builtin_alloca(ciphertext_bytes));
    GIRIH_TRY(girih_encapsulate(pair.alg, options.random, pair.public_key, pair.public_key_bytes, ciphertext,
                                ciphertext_bytes, sent->data(), sent->size()));
    GIRIH_TRY(girih_decapsulate(pair.alg, pair.secret_key, pair.secret_key_bytes, ciphertext,
                                ciphertext_bytes, received->data(), received->size()));
    return check_equal(*sent, *received);
}

/// Whether the keys of a new pair belong together. Any error with a new pair is a fault.
[[gnu::noinline]] int check_pairwise(const PairCall& pair)
{
    Hash hash;
    hash.absorb(BytesIn<>{pair.secret_key, pair.secret_key_bytes});
    const girih_random random{squeeze, &hash, 0};
    girih_options options{};
    options.random = &random;
    const int error =
        pair.alg->kem != nullptr ? check_encapsulation(pair, options) : check_signing(pair, options);
    return error == GIRIH_OK ? GIRIH_OK : GIRIH_ERROR_FAULT;
}

}  // namespace

int girih_draw_seed(const girih_alg* alg, const girih_random* random, uint8_t* seed, size_t seed_bytes)
{
    const std::array pieces{Piece{seed, seed_bytes}, Piece{random, sizeof *random}};
    GIRIH_TRY(check_apart(pieces, 1));
    int error = check_has(alg, &girih_alg::keygen);
    if (error == GIRIH_OK) error = check(seed, seed_bytes, alg->seed_bytes);
    if (error == GIRIH_OK) error = draw(random, {seed, seed_bytes});
    return finish(error, seed, seed_bytes);
}

int girih_keygen_from_seed(const girih_alg* alg, const uint8_t* seed, size_t seed_bytes, uint8_t* public_key,
                           size_t public_key_bytes, uint8_t* secret_key, size_t secret_key_bytes)
{
    const PairCall call{alg, public_key, public_key_bytes, secret_key, secret_key_bytes};
    GIRIH_TRY(call.check_apart({seed, seed_bytes}));
    return call.finish(make_from_seed(call, seed, seed_bytes));
}

int girih_keygen(const girih_alg* alg, const girih_random* random, uint8_t* public_key,
                 size_t public_key_bytes, uint8_t* secret_key, size_t secret_key_bytes)
{
    const PairCall call{alg, public_key, public_key_bytes, secret_key, secret_key_bytes};
    GIRIH_TRY(call.check_apart({random, sizeof *random}));
    return call.finish(make_at_random(call, random));
}

int girih_keygen_checked(const girih_alg* alg, const girih_random* random, uint8_t* public_key,
                         size_t public_key_bytes, uint8_t* secret_key, size_t secret_key_bytes)
{
    const PairCall call{alg, public_key, public_key_bytes, secret_key, secret_key_bytes};
    GIRIH_TRY(call.check_apart({random, sizeof *random}));
    int error = make_at_random(call, random);
    if (error == GIRIH_OK) error = check_pairwise(call);
    return call.finish(error);
}

int girih_public_key(const girih_alg* alg, const uint8_t* secret_key, size_t secret_key_bytes,
                     uint8_t* public_key, size_t public_key_bytes)
{
    const std::array pieces{Piece{public_key, public_key_bytes}, Piece{secret_key, secret_key_bytes}};
    GIRIH_TRY(check_apart(pieces, 1));
    int error = check_has(alg, &girih_alg::public_key);
    if (error == GIRIH_OK) {
        error = check_public_key(*alg, public_key, public_key_bytes);
        if (error == GIRIH_OK) error = check_secret_key(*alg, secret_key, secret_key_bytes);
        if (error == GIRIH_OK) error = alg->public_key(secret_key, public_key);
    }
    return finish(error, public_key, public_key_bytes);
}
