/// NTRU Prime in the library for devices.
#pragma once

#include "device/algorithm.hpp"
#include "ntru_prime/operations.hpp"

namespace girih::device {

template <ntru_prime::Params P>
struct NtruPrime {
    /// The engine, which wipes only as much stack as operations of this set use.
    struct PrimeIsa : Isa {
        static constexpr std::size_t ntru_prime_stack_bytes = P.ring.p > 761 ? ntru_prime::stack_bytes_of(P)
                                                              : P.is_streamlined() ? 19'968
                                                                                   : 24'576;
    };
    using Operations = ntru_prime::OperationsOf<P, PrimeIsa>;

    static ntru_prime::Randomness pieces_of(const girih_random& random)
    {
        const auto fill = [](const void* source, Byte* out, std::size_t bytes) {
            return draw(static_cast<const girih_random*>(source), {out, bytes}) == GIRIH_OK;
        };
        return {nullptr, fill, &random};
    }

    static void keygen(const Byte* seed, Byte* pk, Byte* sk) { (void)Operations::keygen({seed}, pk, sk); }
    static int keygen_piecewise(const girih_random& random, Byte* pk, Byte* sk)
    {
        return Operations::keygen(pieces_of(random), pk, sk) ? GIRIH_OK : GIRIH_ERROR_RANDOM;
    }
    static int public_key(const Byte* sk, Byte* pk) { return error_of(Operations::public_key(sk, pk)); }

    static int encapsulate(const girih_random* random, const Byte* pk, Byte* ciphertext, Byte* shared_secret)
    {
        // The seed is in the shared secret's memory: the secret is written last.
        ntru_prime::Randomness randomness{shared_secret};
        if (random != nullptr && random->piecewise == 1)
            randomness = pieces_of(*random);
        else
            GIRIH_TRY(draw(random, {shared_secret, ntru_prime::seed_bytes}));
        return Operations::encapsulate(randomness, pk, ciphertext, shared_secret) ? GIRIH_OK
                                                                                  : GIRIH_ERROR_RANDOM;
    }
    static int decapsulate(const Byte* sk, const Byte* ciphertext, Byte* shared_secret)
    {
        Operations::decapsulate(sk, ciphertext, shared_secret);
        return GIRIH_OK;
    }

    static constexpr KemFunctions functions{encapsulate, decapsulate};
};

template <ntru_prime::Params P>
constexpr girih_alg ntru_prime_algorithm(const char* name)
{
    using Scheme = NtruPrime<P>;
    static_assert(ntru_prime::seed_bytes <= KemFunctions::shared_secret_bytes &&
                  ntru_prime::shared_secret_bytes == KemFunctions::shared_secret_bytes);
    girih_alg alg = algorithm_of(name, P, ntru_prime::seed_bytes);
    alg.ciphertext_bytes = static_cast<std::uint16_t>(P.ciphertext_bytes());
    alg.keygen = Scheme::keygen;
    alg.keygen_piecewise = Scheme::keygen_piecewise;
    alg.public_key = Scheme::public_key;
    alg.kem = &Scheme::functions;
    return alg;
}

}  // namespace girih::device
