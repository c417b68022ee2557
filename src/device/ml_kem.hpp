/// ML-KEM in the library for devices.
#pragma once

#include "device/algorithm.hpp"
#include "ml_kem/small/ring.hpp"
#include "ml_kem/standard/kem.hpp"

namespace girih::device {

template <ml_kem::Params P>
struct MlKem {
    using Scheme = ml_kem::Scheme<P, ml_kem::small::Ring<Isa>>;

    static typename Scheme::SecretKeyIn secret_key(const Byte* sk)
    {
        return typename Scheme::SecretKeyIn{sk, P.secret_key_bytes()};
    }

    static void keygen(const Byte* seed, Byte* pk, Byte* sk)
    {
        Scheme::keygen(BytesIn<ml_kem::seed_bytes>{seed, ml_kem::seed_bytes},
                       typename Scheme::PublicKeyOut{pk, P.public_key_bytes()},
                       typename Scheme::SecretKeyOut{sk, P.secret_key_bytes()});
    }
    static int public_key(const Byte* sk, Byte* pk)
    {
        return error_of(
            Scheme::public_key(secret_key(sk), typename Scheme::PublicKeyOut{pk, P.public_key_bytes()}));
    }
    // ML-KEM.Encaps (FIPS 203, Algorithm 20).
    static int encapsulate(const girih_random* random, const Byte* pk, Byte* ciphertext, Byte* shared_secret)
    {
        // m is in the shared secret's memory: it is used before the secret is written.
        const typename Scheme::SharedSecretOut secret{shared_secret, ml_kem::shared_secret_bytes};
        GIRIH_TRY(draw(random, secret));
        return Scheme::encapsulate(typename Scheme::PublicKeyIn{pk, P.public_key_bytes()}, secret,
                                   typename Scheme::CiphertextOut{ciphertext, P.ciphertext_bytes()}, secret)
                   ? GIRIH_OK
                   : GIRIH_ERROR_PUBLIC_KEY;
    }
    // ML-KEM.Decaps (FIPS 203, Algorithm 21).
    static int decapsulate(const Byte* sk, const Byte* ciphertext, Byte* shared_secret)
    {
        if (!Scheme::has_good_hash(secret_key(sk))) return GIRIH_ERROR_KEY_MISMATCH;
        Scheme::decapsulate(secret_key(sk), typename Scheme::CiphertextIn{ciphertext, P.ciphertext_bytes()},
                            typename Scheme::SharedSecretOut{shared_secret, ml_kem::shared_secret_bytes});
        return GIRIH_OK;
    }

    static constexpr KemFunctions functions{encapsulate, decapsulate};
};

template <ml_kem::Params P>
constexpr girih_alg ml_kem_algorithm(const char* name)
{
    using Scheme = MlKem<P>;
    static_assert(ml_kem::seed_bytes <= max_seed_bytes &&
                  ml_kem::shared_secret_bytes == KemFunctions::shared_secret_bytes);
    girih_alg alg = algorithm_of(name, P, ml_kem::seed_bytes);
    alg.ciphertext_bytes = static_cast<std::uint16_t>(P.ciphertext_bytes());
    alg.keygen = Scheme::keygen;
    alg.public_key = Scheme::public_key;
    alg.kem = &Scheme::functions;
    return alg;
}

}  // namespace girih::device
