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
#include "falcon/interface.hpp"
#include "falcon/keygen/keygen.hpp"
#include "falcon/lanes/sign.hpp"
#include "falcon/params.hpp"
#include "falcon/rows.hpp"
#include "falcon/sampling/hash_to_point.hpp"
#include "falcon/standard/key_check.hpp"
#include "falcon/standard/sign.hpp"
#include "falcon/standard/verify.hpp"
#include "isa/doubles/float_mode.hpp"
#include "isa/isa.hpp"
#include "isa/shared/wiped_stack.hpp"

namespace girih::falcon {

/// Verify (Falcon, Algorithm 16), interleaved: messages are hashed side by side, for speed.
template <Shape S, class Isa>
[[gnu::noinline]] void verify_some_of(Format format, std::span<VerifyingRow> rows)
{
    using Key = PreparedVerifyingKey<S, Isa>;
    // The row's prepared key, or its public key prepared; null if that is malformed.
    const auto key_of = [](const VerifyingRow& row, Key& own) -> const Key* {
        if (row.prepared != nullptr) return static_cast<const Key*>(row.prepared);
        const BytesIn<S.public_key_bytes()> pk{row.pk, S.public_key_bytes()};
        return prepare_verifying_key<S, Isa>(pk, own) ? &own : nullptr;
    };
    std::array<VerifyingRow*, rows_at_once> hashed;
    std::array<SaltedMessage, rows_at_once> messages;
    std::array<BytesIn<>, rows_at_once> encoded_s2;
    std::size_t count = 0;
    for (VerifyingRow& row : rows) {
        if (const auto parts = take_apart<S>(format, row.signature)) {
            hashed[count] = &row;
            messages[count] = {parts->salt, row.message};
            encoded_s2[count++] = parts->s2;
        } else {  // A malformed key takes precedence over a bad signature.
            Key own;
            row.verdict = key_of(row, own) != nullptr ? Verdict::bad : Verdict::malformed_key;
        }
    }
    std::array<ResiduePoly<S.n()>, rows_at_once> c;
    hash_messages<Isa, S.n()>(std::span{messages}.first(count), c);
    for (std::size_t i = 0; i < count; ++i) {
        Key own;
        const Key* const key = key_of(*hashed[i], own);
        if (key == nullptr)
            hashed[i]->verdict = Verdict::malformed_key;
        else
            hashed[i]->verdict =
                verify_vartime<S, Isa>(format, *key, c[i], encoded_s2[i]) ? Verdict::good : Verdict::bad;
    }
}

/// The operations of one parameter set on one engine.
template <Params P, class Isa>
struct OperationsOf {
    static constexpr Shape shape = P.shape();
    using PublicKeyIn = BytesIn<P.public_key_bytes()>;
    using PublicKeyOut = BytesOut<P.public_key_bytes()>;
    using SecretKeyIn = BytesIn<P.secret_key_bytes()>;
    using SecretKeyOut = BytesOut<P.secret_key_bytes()>;
    using SignatureOut = BytesOut<>;
    using Point = ResiduePoly<P.n()>;
    using SigningKey = PreparedSigningKey<shape, Isa>;
    using VerifyingKey = PreparedVerifyingKey<shape, Isa>;
    static_assert(alignof(SigningKey) <= prepared_key_alignment &&
                  alignof(VerifyingKey) <= prepared_key_alignment);

    /// The scope of floating-point computations.
    using FloatMode = isa::FloatMode<Isa::Fpr::is_native>;

    static void keygen(const Byte* seed, Byte* pk, Byte* sk)
    {
        fast_keygen<shape, Isa>(BytesIn<seed_bytes>{seed, seed_bytes}, PublicKeyOut{pk, P.public_key_bytes()},
                                SecretKeyOut{sk, P.secret_key_bytes()});
    }

    static KeyCheck public_key(const Byte* sk, Byte* pk)
    {
        [[maybe_unused]] const FloatMode mode;
        return falcon::public_key<shape, Isa>(SecretKeyIn{sk, P.secret_key_bytes()},
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

    static SignOutcome sign_of(const Byte* sk, std::span<const Residue, P.n()> c, const Byte* salt,
                               const Byte* seed, Byte* signature)
    {
        [[maybe_unused]] const FloatMode mode;
        return falcon::sign<shape, Isa>(P.format, SecretKeyIn{sk, P.secret_key_bytes()}, c,
                                        random(salt, seed), SignatureOut{signature, P.signature_bytes()});
    }
    static SignOutcome sign(const Byte* sk, BytesIn<> message, const Byte* salt, const Byte* seed,
                            Byte* signature)
    {
        return sign_of(sk, point(message, salt), salt, seed, signature);
    }
    static SignOutcome sign_point(const Byte* sk, const Residue* c, const Byte* salt, const Byte* seed,
                                  Byte* signature)
    {
        return sign_of(sk, std::span<const Residue, P.n()>{c, P.n()}, salt, seed, signature);
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
        const auto parts = take_apart<shape>(P.format, signature);
        return parts && verify_vartime<shape, Isa>(P.format, key, point(c), parts->s2) ? Verdict::good
                                                                                       : Verdict::bad;
    }

    static SignResult prepare_signing_key(const Byte* sk, void* memory)
    {
        [[maybe_unused]] const FloatMode mode;
        auto* const key = new (memory) SigningKey;
        return falcon::prepare_signing_key<shape, Isa>(SecretKeyIn{sk, P.secret_key_bytes()}, *key);
    }

    static bool prepare_verifying_key(const Byte* pk, void* memory)
    {
        auto* const key = new (memory) VerifyingKey;
        return falcon::prepare_verifying_key<shape, Isa>(PublicKeyIn{pk, P.public_key_bytes()}, *key);
    }

    static SignOutcome sign_prepared(const void* prepared, BytesIn<> message, const Byte* salt,
                                     const Byte* seed, Byte* signature)
    {
        [[maybe_unused]] const FloatMode mode;
        return falcon::sign_prepared<shape, Isa>(P.format, *static_cast<const SigningKey*>(prepared),
                                                 point(message, salt), random(salt, seed),
                                                 SignatureOut{signature, P.signature_bytes()});
    }

    static bool verify_prepared(const void* prepared, BytesIn<> message, BytesIn<> signature)
    {
        return verify_vartime<shape, Isa>(P.format, *static_cast<const VerifyingKey*>(prepared), message,
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
            using Interleaved = InterleavedSigning<shape, Isa>;
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
            verify_some_of<shape, Isa>(P.format, rows.first(std::min(rows.size(), rows_at_once)));
    }

    template <auto function, std::size_t bytes = 104 * P.n()>
    static constexpr auto wiped = isa::on_wiped_stack<Isa, bytes, function>;
    static constexpr Operations table{wiped<keygen>,
                                      wiped<public_key, 112 * P.n()>,
                                      wiped<sign>,
                                      wiped<sign_point>,
                                      verify,
                                      verify_point,
                                      sizeof(SigningKey),
                                      sizeof(VerifyingKey),
                                      wiped<prepare_signing_key>,
                                      prepare_verifying_key,
                                      wiped<sign_prepared>,
                                      verify_prepared,
                                      wiped<keygen_many>,
                                      wiped<sign_many>,
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
