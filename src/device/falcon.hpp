/// Falcon in the library for devices.
#pragma once

#include "device/algorithm.hpp"
#include "falcon/keygen/keygen.hpp"
#include "falcon/small/sign.hpp"
#include "falcon/small/verify.hpp"
#include "isa/products.hpp"

namespace girih::device {

int falcon_sign(const SignCall& call, std::size_t& made);
int falcon_verify(const VerifyCall& call);

/// The engine with tables for one degree only.
template <falcon::Shape S, class Isa>
struct FalconIsa : Isa {
    static constexpr std::size_t max_degree = S.n();
    using Fpr = typename Isa::template FprOf<FalconIsa>;
};

template <falcon::Params P, class Isa>
struct Falcon {
    using FalconIsa = device::FalconIsa<P.shape(), Isa>;
    using Signing = falcon::SmallSigning<P, FalconIsa>;
    using Verification = falcon::SmallVerification<P, FalconIsa>;
    using PublicKeyIn = BytesIn<P.public_key_bytes()>;
    using PublicKeyOut = BytesOut<P.public_key_bytes()>;
    using SecretKeyIn = BytesIn<P.secret_key_bytes()>;

    static void keygen(const Byte* seed, Byte* pk, Byte* sk)
    {
        falcon::fast_keygen<P.shape(), FalconIsa>(BytesIn<falcon::seed_bytes>{seed, falcon::seed_bytes},
                                                  PublicKeyOut{pk, P.public_key_bytes()},
                                                  BytesOut<P.secret_key_bytes()>{sk, P.secret_key_bytes()});
    }
    static int public_key(const Byte* sk, Byte* pk)
    {
        return error_of(Signing::public_key(SecretKeyIn{sk, P.secret_key_bytes()},
                                            PublicKeyOut{pk, P.public_key_bytes()}));
    }
    static falcon::SignOutcome sign(const Byte* sk, Hash& hash, const Byte* salt, const Byte* seed,
                                    Byte* signature)
    {
        return Signing::sign(SecretKeyIn{sk, P.secret_key_bytes()}, hash,
                             {BytesIn<falcon::salt_bytes>{salt, falcon::salt_bytes},
                              BytesIn<falcon::seed_bytes>{seed, falcon::seed_bytes}},
                             BytesOut<P.signature_bytes()>{signature, P.signature_bytes()});
    }
    static falcon::Verdict verify(const Byte* pk, Hash& hash, BytesIn<> signature)
    {
        return Verification::verify_vartime(PublicKeyIn{pk, P.public_key_bytes()}, hash, signature);
    }
    [[gnu::noinline]] static void skip_point(Hash& hash)
    {
        falcon::ResiduePoly<P.n()> c;
        falcon::hash_to_point_vartime<device::Isa, P.n()>(hash, c);
    }

    template <bool only_verifies>
    static constexpr FalconFunctions functions = [] {
        FalconFunctions all{nullptr, verify, nullptr};
        if constexpr (!only_verifies) {
            all.sign = sign;
            all.skip_point = skip_point;
        }
        return all;
    }();
};

template <falcon::Params P, bool only_verifies = false>
constexpr girih_alg falcon_algorithm(const char* name)
{
    // Where arithmetic of 64 bits would leak secrets, Falcon verifies only.
    constexpr bool verifies_only = only_verifies || !isa::suits_falcon;
    using Scheme = Falcon<P, std::conditional_t<verifies_only || is_small, SmallIsa, Isa>>;
    girih_alg alg = algorithm_of(name, P, falcon::seed_bytes);
    alg.signature_bytes = static_cast<std::uint16_t>(P.signature_bytes());
    alg.verify = falcon_verify;
    alg.falcon = &Scheme::template functions<verifies_only>;
    if constexpr (!verifies_only) {
        alg.keygen = Scheme::keygen;
        alg.public_key = Scheme::public_key;
        alg.sign = falcon_sign;
    }
    return alg;
}

}  // namespace girih::device
