/// The operations of every parameter set on an engine.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <new>
#include <span>
#include <utility>

#include "core/bytes.hpp"
#include "core/keygen_row.hpp"
#include "falcon/hash_to_point.hpp"
#include "falcon/interface.hpp"
#include "falcon/interleaved_sign.hpp"
#include "falcon/key_check.hpp"
#include "falcon/keygen/keygen.hpp"
#include "falcon/params.hpp"
#include "falcon/rows.hpp"
#include "falcon/sign.hpp"
#include "falcon/verify.hpp"
#include "isa/float_mode.hpp"
#include "isa/isa.hpp"

namespace girih::falcon {

/// Verify (Falcon, Algorithm 16), interleaved: messages are hashed side by side, for speed.
template <Params P, class Isa>
[[gnu::noinline]] void verify_some_of(Format format, std::span<VerifyingRow> rows)
{
    std::array<VerifyingRow*, rows_at_once> hashed;
    std::array<SignatureParts, rows_at_once> parts;
    std::size_t count = 0;
    for (VerifyingRow& row : rows) {
        row.verdict = Verdict::bad;
        const auto taken = take_apart<P>(format, row.signature);
        if (!taken) {
            // A malformed key takes precedence over a bad signature.
            if (row.prepared == nullptr) {
                PreparedVerifyingKey<P, Isa> own;
                row.verdict = falcon::prepare_verifying_key<P, Isa>(
                                  BytesIn<P.public_key_bytes()>{row.pk, P.public_key_bytes()}, own)
                                  ? Verdict::bad
                                  : Verdict::malformed_key;
            }
            continue;
        }
        hashed[count] = &row;
        parts[count++] = *taken;
    }
    std::array<ResiduePoly<P.n()>, rows_at_once> c;
    hash_messages<Isa, P.n()>(
        count, [&](std::size_t i) { return parts[i].salt; },
        [&](std::size_t i) { return hashed[i]->message; }, c);
    for (std::size_t i = 0; i < count; ++i) {
        VerifyingRow& row = *hashed[i];
        PreparedVerifyingKey<P, Isa> own;
        const auto* key = static_cast<const PreparedVerifyingKey<P, Isa>*>(row.prepared);
        if (key == nullptr) {
            if (!falcon::prepare_verifying_key<P, Isa>(
                    BytesIn<P.public_key_bytes()>{row.pk, P.public_key_bytes()}, own)) {
                row.verdict = Verdict::malformed_key;
                continue;
            }
            key = &own;
        }
        if (verify_vartime<P, Isa>(format, *key, c[i], parts[i].s2)) row.verdict = Verdict::good;
    }
}

/// The operations of one parameter set on one engine.
template <Params P, class Isa>
struct OperationsOf {
    static constexpr Params keys = P.keys();
    using PublicKeyIn = BytesIn<P.public_key_bytes()>;
    using PublicKeyOut = BytesOut<P.public_key_bytes()>;
    using SecretKeyIn = BytesIn<P.secret_key_bytes()>;
    using SecretKeyOut = BytesOut<P.secret_key_bytes()>;
    using SignatureOut = BytesOut<>;
    using Point = ResiduePoly<P.n()>;
    using SigningKey = PreparedSigningKey<keys, Isa>;
    using VerifyingKey = PreparedVerifyingKey<keys, Isa>;
    static_assert(alignof(SigningKey) <= prepared_key_alignment &&
                  alignof(VerifyingKey) <= prepared_key_alignment);

    /// The scope of floating-point computations.
    using FloatMode = isa::FloatMode<Isa::Fpr::is_native>;

    static void keygen(const Byte* seed, Byte* pk, Byte* sk)
    {
        fast_keygen<keys, Isa>(BytesIn<seed_bytes>{seed, seed_bytes}, PublicKeyOut{pk, P.public_key_bytes()},
                               SecretKeyOut{sk, P.secret_key_bytes()});
    }

    static KeyCheck public_key(const Byte* sk, Byte* pk)
    {
        [[maybe_unused]] const FloatMode mode;
        return falcon::public_key<keys, Isa>(SecretKeyIn{sk, P.secret_key_bytes()},
                                             PublicKeyOut{pk, P.public_key_bytes()});
    }

    static SigningRandomness random(const Byte* salt, const Byte* seed)
    {
        return {BytesIn<salt_bytes>{salt, salt_bytes}, BytesIn<seed_bytes>{seed, seed_bytes}};
    }

    static Point point(const Residue* c)
    {
        Point copied;
        for (std::size_t i = 0; i < P.n(); ++i) copied[i] = c[i];
        return copied;
    }
    static Point point(BytesIn<> message, const Byte* salt)
    {
        Point c;
        hash_message<Isa, P.n()>(BytesIn<salt_bytes>{salt, salt_bytes}, message, c);
        return c;
    }

    static SignOutcome sign(const Byte* sk, BytesIn<> message, const Byte* salt, const Byte* seed,
                            Byte* signature)
    {
        [[maybe_unused]] const FloatMode mode;
        return falcon::sign<keys, Isa>(P.format, SecretKeyIn{sk, P.secret_key_bytes()}, point(message, salt),
                                       random(salt, seed), SignatureOut{signature, P.signature_bytes()});
    }

    static SignOutcome sign_point(const Byte* sk, const Residue* c, const Byte* salt, const Byte* seed,
                                  Byte* signature)
    {
        [[maybe_unused]] const FloatMode mode;
        return falcon::sign<keys, Isa>(P.format, SecretKeyIn{sk, P.secret_key_bytes()}, point(c),
                                       random(salt, seed), SignatureOut{signature, P.signature_bytes()});
    }

    static Verdict verify(const Byte* pk, BytesIn<> message, BytesIn<> signature)
    {
        VerifyingKey key;
        if (!prepare_verifying_key(pk, &key)) return Verdict::malformed_key;
        return verify_prepared(&key, message, signature) ? Verdict::good : Verdict::bad;
    }

    static Verdict verify_point(const Byte* pk, const Residue* c, BytesIn<> signature)
    {
        VerifyingKey key;
        if (!prepare_verifying_key(pk, &key)) return Verdict::malformed_key;
        const auto parts = take_apart<keys>(P.format, signature);
        return parts && verify_vartime<keys, Isa>(P.format, key, point(c), parts->s2) ? Verdict::good
                                                                                      : Verdict::bad;
    }

    static bool prepare_signing_key(const Byte* sk, void* memory)
    {
        [[maybe_unused]] const FloatMode mode;
        auto* const key = new (memory) SigningKey;
        return falcon::prepare_signing_key<keys, Isa>(SecretKeyIn{sk, P.secret_key_bytes()}, *key);
    }

    static bool prepare_verifying_key(const Byte* pk, void* memory)
    {
        auto* const key = new (memory) VerifyingKey;
        return falcon::prepare_verifying_key<keys, Isa>(PublicKeyIn{pk, P.public_key_bytes()}, *key);
    }

    static SignOutcome sign_prepared(const void* prepared, BytesIn<> message, const Byte* salt,
                                     const Byte* seed, Byte* signature)
    {
        [[maybe_unused]] const FloatMode mode;
        return falcon::sign<keys, Isa>(P.format, *static_cast<const SigningKey*>(prepared),
                                       point(message, salt), random(salt, seed),
                                       SignatureOut{signature, P.signature_bytes()});
    }

    static bool verify_prepared(const void* prepared, BytesIn<> message, BytesIn<> signature)
    {
        return verify_vartime<keys, Isa>(P.format, *static_cast<const VerifyingKey*>(prepared), message,
                                         signature);
    }

    static void keygen_many(std::span<const KeygenRow> rows)
    {
        for (const KeygenRow& row : rows) keygen(row.seed, row.pk, row.sk);
    }

    static void sign_row(SigningRow& row)
    {
        row.outcome = row.prepared == nullptr
                          ? sign(row.sk, row.message, row.salt, row.seed, row.signature)
                          : sign_prepared(row.prepared, row.message, row.salt, row.seed, row.signature);
    }

    static void sign_many(std::span<SigningRow> rows)
    {
        if constexpr (isa::WideDoubles<Isa>) {
            [[maybe_unused]] const FloatMode mode;
            using Interleaved = InterleavedSigning<keys, Isa>;
            while (!rows.empty()) {
                std::size_t alike = 1;
                while (alike < std::min(rows.size(), Interleaved::lanes) &&
                       rows[alike].prepared == rows[0].prepared)
                    ++alike;
                if (rows[0].prepared != nullptr && alike >= Interleaved::fewest_rows)
                    Interleaved::sign(P.format, *static_cast<const SigningKey*>(rows[0].prepared),
                                      rows.first(alike), sign_row);
                else
                    for (SigningRow& row : rows.first(alike)) sign_row(row);
                rows = rows.subspan(alike);
            }
        } else {
            for (SigningRow& row : rows) sign_row(row);
        }
    }

    static void verify_many(std::span<VerifyingRow> rows)
    {
        for (; !rows.empty(); rows = rows.subspan(std::min(rows.size(), rows_at_once)))
            verify_some_of<keys, Isa>(P.format, rows.first(std::min(rows.size(), rows_at_once)));
    }

    static constexpr Operations table{keygen,
                                      public_key,
                                      sign,
                                      sign_point,
                                      verify,
                                      verify_point,
                                      sizeof(SigningKey),
                                      sizeof(VerifyingKey),
                                      prepare_signing_key,
                                      prepare_verifying_key,
                                      sign_prepared,
                                      verify_prepared,
                                      keygen_many,
                                      sign_many,
                                      verify_many};

    static constexpr Operations verifying = [] {
        Operations operations{};
        operations.verify = verify;
        operations.verify_point = verify_point;
        operations.verifying_key_size = sizeof(VerifyingKey);
        operations.prepare_verifying_key = prepare_verifying_key;
        operations.verify_prepared = verify_prepared;
        operations.verify_many = verify_many;
        return operations;
    }();
};

}  // namespace girih::falcon
