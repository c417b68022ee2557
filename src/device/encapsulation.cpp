/// girih_encapsulate, girih_decapsulate and girih_decapsulate_checked.
#include "device/algorithm.hpp"

using namespace girih;
using namespace girih::device;

int girih_encapsulate(const girih_alg* alg, const girih_random* random, const uint8_t* public_key,
                      size_t public_key_bytes, uint8_t* ciphertext, size_t ciphertext_bytes,
                      uint8_t* shared_secret, size_t shared_secret_bytes)
{
    const std::array pieces{Piece{ciphertext, ciphertext_bytes}, Piece{shared_secret, shared_secret_bytes},
                            Piece{public_key, public_key_bytes}, Piece{random, sizeof *random}};
    GIRIH_TRY(check_apart(pieces, 2));
    int error = check_has(alg, &girih_alg::kem);
    if (error == GIRIH_OK) {
        error = check_public_key(*alg, public_key, public_key_bytes);
        if (error == GIRIH_OK) error = check(ciphertext, ciphertext_bytes, alg->ciphertext_bytes);
        if (error == GIRIH_OK)
            error = check(shared_secret, shared_secret_bytes, KemFunctions::shared_secret_bytes);
        if (error == GIRIH_OK) error = alg->kem->encapsulate(random, public_key, ciphertext, shared_secret);
    }
    (void)finish(error, ciphertext, ciphertext_bytes);
    return finish(error, shared_secret, shared_secret_bytes);
}

int girih_decapsulate(const girih_alg* alg, const uint8_t* secret_key, size_t secret_key_bytes,
                      const uint8_t* ciphertext, size_t ciphertext_bytes, uint8_t* shared_secret,
                      size_t shared_secret_bytes)
{
    const std::array pieces{Piece{shared_secret, shared_secret_bytes}, Piece{secret_key, secret_key_bytes},
                            Piece{ciphertext, ciphertext_bytes}};
    GIRIH_TRY(check_apart(pieces, 1));
    int error = check_has(alg, &girih_alg::kem);
    if (error == GIRIH_OK) {
        error = check_secret_key(*alg, secret_key, secret_key_bytes);
        if (error == GIRIH_OK) error = check(ciphertext, ciphertext_bytes, alg->ciphertext_bytes);
        if (error == GIRIH_OK)
            error = check(shared_secret, shared_secret_bytes, KemFunctions::shared_secret_bytes);
        if (error == GIRIH_OK) error = alg->kem->decapsulate(secret_key, ciphertext, shared_secret);
    }
    return finish(error, shared_secret, shared_secret_bytes);
}

int girih_decapsulate_checked(const girih_alg* alg, const uint8_t* secret_key, size_t secret_key_bytes,
                              const uint8_t* ciphertext, size_t ciphertext_bytes, uint8_t* shared_secret,
                              size_t shared_secret_bytes)
{
    GIRIH_TRY(girih_decapsulate(alg, secret_key, secret_key_bytes, ciphertext, ciphertext_bytes,
                                shared_secret, shared_secret_bytes));
    Wiped<std::array<Byte, KemFunctions::shared_secret_bytes>> again;
    const bool is_good = alg->kem->decapsulate(secret_key, ciphertext, again->data()) == GIRIH_OK &&
                         check_equal(*again, BytesIn<>{shared_secret, shared_secret_bytes}) == GIRIH_OK;
    return finish(is_good ? GIRIH_OK : GIRIH_ERROR_FAULT, shared_secret, shared_secret_bytes);
}
