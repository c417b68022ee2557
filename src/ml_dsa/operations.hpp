/// The operations of a parameter set as functions over plain bytes: what an engine offers and the public API calls.
#pragma once

#include <array>
#include <utility>

#include "core/bytes.hpp"
#include "ml_dsa/keygen.hpp"
#include "ml_dsa/message.hpp"
#include "ml_dsa/params.hpp"
#include "ml_dsa/sign.hpp"
#include "ml_dsa/verify.hpp"

namespace girih::ml_dsa {

/// Every pointer is to as many bytes as the parameter set says; mu is 64 bytes, rnd as Params::rnd_bytes or null
/// (deterministic), tr as Params::tr_bytes.
struct Operations {
    void (*keygen)(const Byte* seed, Byte* pk, Byte* sk);
    KeyCheck (*public_key)(const Byte* sk, Byte* pk);
    SignResult (*sign)(const Byte* sk, const Frame& frame, BytesIn<> message, const Byte* rnd, Byte* sig);
    SignResult (*sign_mu)(const Byte* sk, const Byte* mu, const Byte* rnd, Byte* sig);
    bool (*verify)(const Byte* pk, const Frame& frame, BytesIn<> message, const Byte* sig);
    bool (*verify_mu)(const Byte* pk, const Byte* mu, const Byte* sig);
    void (*hash_public_key)(const Byte* pk, Byte* tr);
};

/// The parameter sets in the order of every table of them.
inline constexpr std::array parameter_sets{ml_dsa_44,  ml_dsa_65,  ml_dsa_87,
                                           dilithium2, dilithium3, dilithium5};

/// The operations of one parameter set on one engine.
template <Params P, class Isa>
struct OperationsOf {
    using PublicKeyIn = BytesIn<P.public_key_bytes()>;
    using PublicKeyOut = BytesOut<P.public_key_bytes()>;
    using SecretKeyIn = BytesIn<P.secret_key_bytes()>;
    using SecretKeyOut = BytesOut<P.secret_key_bytes()>;
    using SignatureIn = BytesIn<P.signature_bytes()>;
    using SignatureOut = BytesOut<P.signature_bytes()>;
    using Mu = BytesIn<mu_bytes>;

    static void keygen(const Byte* seed, Byte* pk, Byte* sk)
    {
        ml_dsa::keygen<P, Isa>(BytesIn<seed_bytes>{seed, seed_bytes}, PublicKeyOut{pk, P.public_key_bytes()},
                               SecretKeyOut{sk, P.secret_key_bytes()});
    }

    static KeyCheck public_key(const Byte* sk, Byte* pk)
    {
        return ml_dsa::public_key<P, Isa>(SecretKeyIn{sk, P.secret_key_bytes()},
                                          PublicKeyOut{pk, P.public_key_bytes()});
    }

    static BytesIn<> random(const Byte* rnd) { return {rnd, rnd == nullptr ? 0 : P.rnd_bytes()}; }

    static SignResult sign(const Byte* sk, const Frame& frame, BytesIn<> message, const Byte* rnd, Byte* sig)
    {
        return ml_dsa::sign<P, Isa>(SecretKeyIn{sk, P.secret_key_bytes()}, frame, message, random(rnd),
                                    SignatureOut{sig, P.signature_bytes()});
    }

    static SignResult sign_mu(const Byte* sk, const Byte* mu, const Byte* rnd, Byte* sig)
    {
        PreparedSigningKey<P> key;
        if (!prepare_signing_key<P, Isa>(SecretKeyIn{sk, P.secret_key_bytes()}, key))
            return SignResult::malformed_key;
        return ml_dsa::sign_mu<P, Isa>(key, Mu{mu, mu_bytes}, random(rnd),
                                       SignatureOut{sig, P.signature_bytes()})
                   ? SignResult::good
                   : SignResult::too_many_attempts;
    }

    static bool verify(const Byte* pk, const Frame& frame, BytesIn<> message, const Byte* sig)
    {
        return verify_vartime<P, Isa>(PublicKeyIn{pk, P.public_key_bytes()}, frame, message,
                                      SignatureIn{sig, P.signature_bytes()});
    }

    static bool verify_mu(const Byte* pk, const Byte* mu, const Byte* sig)
    {
        PreparedVerifyingKey<P> key;
        prepare_verifying_key<P, Isa>(PublicKeyIn{pk, P.public_key_bytes()}, key);
        return verify_mu_vartime<P, Isa>(key, Mu{mu, mu_bytes}, SignatureIn{sig, P.signature_bytes()});
    }

    static void hash_public_key(const Byte* pk, Byte* tr)
    {
        ml_dsa::hash_public_key<P, Isa>(PublicKeyIn{pk, P.public_key_bytes()},
                                        BytesOut<P.tr_bytes>{tr, P.tr_bytes});
    }

    static constexpr Operations table{keygen, public_key, sign, sign_mu, verify, verify_mu, hash_public_key};
};

/// The operations of every parameter set, in the order of parameter_sets.
template <class Isa>
inline constexpr auto operations_of_all = []<std::size_t... i>(std::index_sequence<i...>) {
    return std::array{OperationsOf<parameter_sets[i], Isa>::table...};
}(std::make_index_sequence<parameter_sets.size()>{});

}  // namespace girih::ml_dsa
