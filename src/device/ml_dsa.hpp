/// ML-DSA and Dilithium in the library for devices.
#pragma once

#include "device/algorithm.hpp"
#include "ml_dsa/small/scheme.hpp"

namespace girih::device {

int ml_dsa_sign(const SignCall& call, std::size_t& made);
int ml_dsa_verify(const VerifyCall& call);

template <ml_dsa::Params P, class Isa>
struct MlDsa {
    using Scheme = ml_dsa::small::Scheme<P, Isa, ml_dsa::small::Plan::GIRIH_DEVICE_PLAN>;
    using PublicKeyIn = ml_dsa::PublicKeyIn<P>;
    using SecretKeyIn = ml_dsa::SecretKeyIn<P>;
    using Mu = BytesIn<ml_dsa::mu_bytes>;

    static void keygen(const Byte* seed, Byte* pk, Byte* sk)
    {
        Scheme::keygen(BytesIn<ml_dsa::seed_bytes>{seed, ml_dsa::seed_bytes},
                       ml_dsa::PublicKeyOut<P>{pk, P.public_key_bytes()},
                       ml_dsa::SecretKeyOut<P>{sk, P.secret_key_bytes()});
    }
    static int public_key(const Byte* sk, Byte* pk)
    {
        return error_of(Scheme::public_key(SecretKeyIn{sk, P.secret_key_bytes()},
                                           ml_dsa::PublicKeyOut<P>{pk, P.public_key_bytes()}));
    }
    static ml_dsa::SignResult sign(const Byte* sk, const Byte* mu, const Byte* rnd, Byte* signature)
    {
        return Scheme::sign_mu(SecretKeyIn{sk, P.secret_key_bytes()}, Mu{mu, ml_dsa::mu_bytes},
                               view(rnd, P.rnd_bytes()),
                               ml_dsa::SignatureOut<P>{signature, P.signature_bytes()});
    }
    static std::uint32_t verify(const Byte* pk, const Byte* mu, const Byte* signature)
    {
        return Scheme::verify_mu_vartime(PublicKeyIn{pk, P.public_key_bytes()}, Mu{mu, ml_dsa::mu_bytes},
                                         ml_dsa::SignatureIn<P>{signature, P.signature_bytes()});
    }

    template <bool only_verifies>
    static constexpr MlDsaFunctions functions{P.version(), only_verifies ? nullptr : sign, verify};
};

template <ml_dsa::Params P, bool only_verifies = false>
constexpr girih_alg ml_dsa_algorithm(const char* name)
{
    using Scheme = MlDsa<P, std::conditional_t<only_verifies, SmallIsa, Isa>>;
    girih_alg alg = algorithm_of(name, P, ml_dsa::seed_bytes);
    alg.signature_bytes = static_cast<std::uint16_t>(P.signature_bytes());
    alg.has_context = P.has_context();
    alg.has_mu = true;
    alg.verify = ml_dsa_verify;
    alg.ml_dsa = &Scheme::template functions<only_verifies>;
    if constexpr (!only_verifies) {
        alg.keygen = Scheme::keygen;
        alg.public_key = Scheme::public_key;
        alg.sign = ml_dsa_sign;
    }
    return alg;
}

}  // namespace girih::device
