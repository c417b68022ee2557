/// The operations of every parameter set on an engine.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <new>
#include <span>
#include <utility>

#include "core/bytes.hpp"
#include "isa/options.hpp"
#include "isa/shared/wiped_stack.hpp"
#include "ml_dsa/encoding/message.hpp"
#include "ml_dsa/interface.hpp"
#include "ml_dsa/lanes/keygen.hpp"
#include "ml_dsa/lanes/sign.hpp"
#include "ml_dsa/lanes/sign_many.hpp"
#include "ml_dsa/lanes/verify.hpp"
#include "ml_dsa/params.hpp"
#include "ml_dsa/standard/key_check.hpp"
#include "ml_dsa/standard/keygen.hpp"
#include "ml_dsa/standard/sign.hpp"
#include "ml_dsa/standard/verify.hpp"

namespace girih::ml_dsa {

/// The stack that signing uses, on engines that wipe it.
constexpr std::size_t stack_bytes_of(const Params& p) { return p.k == 4 ? 53248 : p.k == 6 ? 75776 : 106496; }

/// The operations of one parameter set on one engine.
template <Params P, class Isa>
struct OperationsOf {
    static constexpr Shape shape = P.shape();
    static constexpr Version version = P.version();
    using Mu = BytesIn<mu_bytes>;

    /// Whether several sponges run side by side. If not, standard/ is as fast, and a batch runs its
    /// rows one after the other.
    static constexpr bool has_lanes = rows_in_lanes<Isa> > 1;
    static constexpr bool batches_in_lanes = has_lanes && !isa::SavesBytes<Isa>;
    static constexpr auto expand_a = [] {
        if constexpr (has_lanes)
            return expand_a_in_lanes<shape, Isa>;
        else
            return ml_dsa::expand_a<shape, Isa>;
    }();

    static void keygen(const Byte* seed, Byte* pk, Byte* sk)
    {
        const BytesIn<seed_bytes> xi{seed, seed_bytes};
        const PublicKeyOut<P> public_key{pk, P.public_key_bytes()};
        const SecretKeyOut<P> secret_key{sk, P.secret_key_bytes()};
        if constexpr (has_lanes)
            keygen_in_lanes<shape, Isa>(version, xi, public_key, secret_key);
        else
            ml_dsa::keygen<shape, Isa>(version, xi, public_key, secret_key);
    }

    static KeyCheck public_key(const Byte* sk, Byte* pk)
    {
        return ml_dsa::public_key<shape, Isa, expand_a>(version, SecretKeyIn<P>{sk, P.secret_key_bytes()},
                                                        PublicKeyOut<P>{pk, P.public_key_bytes()});
    }

    static BytesIn<> random(const Byte* rnd) { return {rnd, rnd == nullptr ? 0 : P.rnd_bytes()}; }

    static SignResult sign(const Byte* sk, const Frame& frame, BytesIn<> message, const Byte* rnd, Byte* sig)
    {
        const SecretKeyIn<P> secret_key{sk, P.secret_key_bytes()};
        const SignatureOut<P> out{sig, P.signature_bytes()};
        if constexpr (has_lanes)
            return sign_in_lanes<shape, Isa>(version, secret_key, frame, message, random(rnd), out);
        else
            return ml_dsa::sign<shape, Isa>(version, secret_key, frame, message, random(rnd), out);
    }

    static SignResult sign_mu(const Byte* sk, const Byte* mu, const Byte* rnd, Byte* sig)
    {
        const SecretKeyIn<P> secret_key{sk, P.secret_key_bytes()};
        const SignatureOut<P> out{sig, P.signature_bytes()};
        if constexpr (has_lanes)
            return ml_dsa::sign_mu<shape, Isa, MaskStream, expand_a>(version, secret_key, Mu{mu, mu_bytes},
                                                                     random(rnd), out);
        else
            return ml_dsa::sign_mu<shape, Isa>(version, secret_key, Mu{mu, mu_bytes}, random(rnd), out);
    }

    static bool verify(const Byte* pk, const Frame& frame, BytesIn<> message, const Byte* sig)
    {
        const PublicKeyIn<P> public_key{pk, P.public_key_bytes()};
        const SignatureIn<P> signature{sig, P.signature_bytes()};
        if constexpr (has_lanes)
            return verify_in_lanes_vartime<shape, Isa>(version, public_key, frame, message, signature);
        else
            return verify_vartime<shape, Isa>(version, public_key, frame, message, signature);
    }

    static bool verify_mu(const Byte* pk, const Byte* mu, const Byte* sig)
    {
        VerifyingKey key;
        prepare_verifying_key(pk, &key);
        return verify_mu_prepared(&key, mu, sig);
    }

    static void hash_public_key(const Byte* pk, Byte* tr)
    {
        ml_dsa::hash_public_key<shape, Isa>(PublicKeyIn<P>{pk, P.public_key_bytes()},
                                            BytesOut<P.tr_bytes>{tr, P.tr_bytes});
    }

    using SigningKey = PreparedSigningKey<shape>;
    using VerifyingKey = PreparedVerifyingKey<shape>;
    static_assert(alignof(SigningKey) <= prepared_key_alignment &&
                  alignof(VerifyingKey) <= prepared_key_alignment);

    static bool prepare_signing_key(const Byte* sk, void* memory)
    {
        auto* const key = new (memory) SigningKey;
        return ml_dsa::prepare_signing_key<shape, Isa, expand_a>(
            version, SecretKeyIn<P>{sk, P.secret_key_bytes()}, *key);
    }

    static void prepare_verifying_key(const Byte* pk, void* memory)
    {
        auto* const key = new (memory) VerifyingKey;
        const PublicKeyIn<P> public_key{pk, P.public_key_bytes()};
        if constexpr (has_lanes)
            prepare_verifying_key_in_lanes<shape, Isa>(version, public_key, *key);
        else
            ml_dsa::prepare_verifying_key<shape, Isa>(version, public_key, *key);
    }

    static void wipe_signing_key(void* prepared) { static_cast<SigningKey*>(prepared)->~SigningKey(); }

    static bool sign_mu_prepared(const void* prepared, const Byte* mu, const Byte* rnd, Byte* sig)
    {
        const SigningKey& key = *static_cast<const SigningKey*>(prepared);
        const SignatureOut<P> out{sig, P.signature_bytes()};
        if constexpr (has_lanes)
            return ml_dsa::sign_mu<shape, Isa, MaskStream>(key, Mu{mu, mu_bytes}, random(rnd), out);
        else
            return ml_dsa::sign_mu<shape, Isa>(key, Mu{mu, mu_bytes}, random(rnd), out);
    }

    static bool sign_prepared(const void* prepared, const Frame& frame, BytesIn<> message, const Byte* rnd,
                              Byte* sig)
    {
        std::array<Byte, mu_bytes> mu;
        message_representative<Isa>(static_cast<const SigningKey*>(prepared)->tr.view(), frame, message, mu);
        return sign_mu_prepared(prepared, mu.data(), rnd, sig);
    }

    static bool verify_mu_prepared(const void* prepared, const Byte* mu, const Byte* sig)
    {
        return verify_mu_vartime<shape, Isa>(*static_cast<const VerifyingKey*>(prepared), Mu{mu, mu_bytes},
                                             SignatureIn<P>{sig, P.signature_bytes()});
    }

    static bool verify_prepared(const void* prepared, const Frame& frame, BytesIn<> message, const Byte* sig)
    {
        const VerifyingKey& key = *static_cast<const VerifyingKey*>(prepared);
        if constexpr (Isa::WideWords::count >= 8)  // on four lanes two hashes take as long together as apart
            if (is_hashed_in_lane(message))
                return verify_prepared_in_lanes_vartime<shape, Isa>(key, frame, message,
                                                                    SignatureIn<P>{sig, P.signature_bytes()});
        std::array<Byte, mu_bytes> mu;
        message_representative<Isa>(key.tr.view(), frame, message, mu);
        return verify_mu_prepared(prepared, mu.data(), sig);
    }

    /// The next rows, as many as run side by side.
    template <class Row>
    static std::span<Row> take_group(std::span<Row>& rows)
    {
        const std::span<Row> taken = rows.first(std::min(rows.size(), rows_in_lanes<Isa>));
        rows = rows.subspan(taken.size());
        return taken;
    }

    static void keygen_many(std::span<const KeygenRow> rows)
    {
        if constexpr (batches_in_lanes) {
            while (!rows.empty()) ml_dsa::keygen_many<shape, Isa>(version, take_group(rows));
        } else {
            for (const KeygenRow& row : rows) keygen(row.seed, row.pk, row.sk);
        }
    }

    static void verify_many(std::span<VerifyingRow> rows)
    {
        if constexpr (batches_in_lanes) {
            while (!rows.empty()) VerifyMany<shape, Isa>{version, take_group(rows)};
        } else {
            for (VerifyingRow& row : rows)
                row.verifies = row.prepared == nullptr
                                   ? verify(row.pk, row.frame, row.message, row.signature)
                                   : verify_prepared(row.prepared, row.frame, row.message, row.signature);
        }
    }

    static void sign_many(const SigningRows& rows)
    {
        if constexpr (batches_in_lanes) {
            SignMany<shape, Isa>{version}.run(rows);
        } else {
            for (SigningRow row; rows.next(rows.rows, row);)
                rows.done(rows.rows, row.number,
                          sign_prepared(row.prepared, row.frame, row.message, row.rnd, row.signature));
        }
    }

    template <auto function>
    static constexpr auto wiped = isa::on_wiped_stack<Isa, stack_bytes_of(P), function>;
    static constexpr Operations table{wiped<keygen>,
                                      wiped<public_key>,
                                      wiped<sign>,
                                      wiped<sign_mu>,
                                      verify,
                                      verify_mu,
                                      hash_public_key,
                                      sizeof(SigningKey),
                                      sizeof(VerifyingKey),
                                      wiped<prepare_signing_key>,
                                      prepare_verifying_key,
                                      wipe_signing_key,
                                      wiped<sign_prepared>,
                                      wiped<sign_mu_prepared>,
                                      verify_prepared,
                                      verify_mu_prepared,
                                      wiped<keygen_many>,
                                      verify_many,
                                      wiped<sign_many>};

    static constexpr Operations verifying = [] {
        Operations operations{};
        operations.verify = verify;
        operations.verify_mu = verify_mu;
        operations.hash_public_key = hash_public_key;
        operations.verifying_key_size = sizeof(VerifyingKey);
        operations.prepare_verifying_key = prepare_verifying_key;
        operations.verify_prepared = verify_prepared;
        operations.verify_mu_prepared = verify_mu_prepared;
        operations.verify_many = verify_many;
        return operations;
    }();
};

}  // namespace girih::ml_dsa
