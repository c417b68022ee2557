/// What all functions that sign or verify do: how options frame a message, what is drawn,
/// what is checked first.
#pragma once

#include <optional>

#include "api/algorithms/algorithm.hpp"
#include "api/arguments.hpp"
#include "isa/portable/lanes.hpp"
#include "ml_dsa/hashing/pre_hash.hpp"

namespace girih::api {

// Messages are hashed one at a time, so one lane serves.
using Isa = isa::portable::Isa;
using PreHash = ml_dsa::PreHash<Isa>;

constexpr girih_options default_options{};

inline const girih_options& or_default(const girih_options* options)
{
    return options == nullptr ? default_options : *options;
}

/// How the options frame a message.
struct Framing {
    std::optional<PreHash> pre_hash;
    ml_dsa::PreHashOid oid{};
    ml_dsa::Frame frame;
};

/// Checks context and pre-hash against the algorithm, and lays the frame out.
inline int make_framing(const girih_alg* alg, const girih_options& options, Framing& framing)
{
    framing.pre_hash.reset();
    framing.frame = ml_dsa::Frame::none();
    if (!is_there(options.context, options.context_bytes)) return GIRIH_ERROR_ARGUMENT;
    if (options.context_bytes > ml_dsa::max_context_bytes) return GIRIH_ERROR_CONTEXT;
    if (!alg->ml_dsa_params().has_context()) {
        if (options.context_bytes != 0) return GIRIH_ERROR_CONTEXT;
        return options.pre_hash == nullptr ? GIRIH_OK : GIRIH_ERROR_PRE_HASH;
    }
    const BytesIn<> context = view(options.context, options.context_bytes);
    if (options.pre_hash == nullptr) {
        framing.frame = ml_dsa::Frame::with(context);
        return GIRIH_OK;
    }
    const std::optional<std::size_t> index = ml_dsa::pre_hash_index(options.pre_hash);
    if (!index) return GIRIH_ERROR_PRE_HASH;
    framing.pre_hash.emplace(*index);
    framing.oid = ml_dsa::pre_hash_oid(framing.pre_hash->function());
    framing.frame = ml_dsa::Frame::with(context, framing.oid);
    return GIRIH_OK;
}

/// The randomness of one signature: as the options say, drawn or none.
class SigningRandomness {
  public:
    int draw_for(const girih_alg* alg, const girih_options& options)
    {
        drawn_ = false;
        if (options.deterministic != 0) return GIRIH_OK;
        drawn_ = draw(options.random, BytesOut<>{*bytes_}.first(alg->ml_dsa_params().rnd_bytes()));
        return drawn_ ? GIRIH_OK : GIRIH_ERROR_RANDOM;
    }
    /// Null for a deterministic signature.
    [[nodiscard]] const Byte* data() const { return drawn_ ? bytes_->data() : nullptr; }

  private:
    Wiped<std::array<Byte, ml_dsa::rho_prime_bytes>> bytes_;
    bool drawn_ = false;
};

inline int error_of(ml_dsa::SignResult result)
{
    switch (result) {
        case ml_dsa::SignResult::malformed_key:
            return GIRIH_ERROR_SECRET_KEY;
        case ml_dsa::SignResult::too_many_attempts:
            return GIRIH_ERROR_ATTEMPTS;
        case ml_dsa::SignResult::good:
            break;
    }
    return GIRIH_OK;
}

/// Of a secret key's check.
template <class KeyCheck>
int error_of_check(KeyCheck check)
{
    switch (check) {
        case KeyCheck::malformed:
            return GIRIH_ERROR_SECRET_KEY;
        case KeyCheck::inconsistent:
            return GIRIH_ERROR_KEY_MISMATCH;
        case KeyCheck::good:
            break;
    }
    return GIRIH_OK;
}

inline int attempts_error(bool is_signed) { return is_signed ? GIRIH_OK : GIRIH_ERROR_ATTEMPTS; }

inline int verdict(bool verifies) { return verifies ? GIRIH_OK : GIRIH_ERROR_SIGNATURE; }

/// What a message is signed as: itself, or its pre-hash.
inline BytesIn<> signed_bytes(Framing& framing, BytesIn<> message, PreHash::Digest& digest)
{
    if (!framing.pre_hash) return message;
    framing.pre_hash->update(message);
    return framing.pre_hash->finish(digest);
}

/// Calls f(frame, body) for a message with its options.
template <class F>
int with_message(const girih_alg* alg, const girih_options* options, const uint8_t* message,
                 size_t message_bytes, F f)
{
    if (!is_there(message, message_bytes)) return GIRIH_ERROR_ARGUMENT;
    Framing framing;
    GIRIH_TRY(make_framing(alg, or_default(options), framing));
    PreHash::Digest digest;
    return f(framing.frame, signed_bytes(framing, view(message, message_bytes), digest));
}

/// Checks a message representative. Context and pre-hash are inside it already, so the
/// options may have none.
inline int check_mu(const uint8_t* mu, size_t mu_bytes, const girih_options* options)
{
    GIRIH_TRY(check(mu, mu_bytes, GIRIH_MU_BYTES));
    if (or_default(options).context_bytes != 0) return GIRIH_ERROR_CONTEXT;
    return or_default(options).pre_hash == nullptr ? GIRIH_OK : GIRIH_ERROR_PRE_HASH;
}

/// Where a signature goes.
struct SignatureOut {
    uint8_t* data;
    size_t capacity;
    size_t* bytes;
};

/// Whether a signature of this algorithm fits into its place.
inline int check_room(const girih_alg* alg, const uint8_t* signature, size_t capacity)
{
    if (!is_there(signature, capacity)) return GIRIH_ERROR_ARGUMENT;
    return capacity < girih_signature_bytes(alg) ? GIRIH_ERROR_LENGTH : GIRIH_OK;
}

/// The outputs of every signing function.
class SigningOutputs {
  public:
    explicit SigningOutputs(const SignatureOut& out)
        : out_(out), signature_(out.data, out.capacity), length_(out.bytes)
    {
    }

    /// Before anything else.
    int check_apart() { return api::check_apart(signature_, length_); }
    /// Whether there is a place for the length.
    [[nodiscard]] bool has_length() const { return length_.is_there(); }
    [[nodiscard]] int check_room(const girih_alg* alg) const
    {
        return api::check_room(alg, out_.data, out_.capacity);
    }
    void give(BytesIn<> signature)
    {
        signature_.give(signature);
        length_.give(signature.size());
    }

  private:
    SignatureOut out_;
    Output signature_;
    OutputValue<size_t> length_;
};

/// The end of every signing function: the signature that was made goes out. With
/// girih_options.verify_after_sign, only if verify(public_key, signature) finds it good, with the
/// public key that is computed from the secret one again.
template <class Verify>
int give_signature(const girih_alg* alg, BytesIn<> secret_key, const girih_options& options, BytesIn<> made,
                   SigningOutputs& outputs, Verify verify)
{
    if (options.verify_after_sign != 0) {
        std::array<Byte, max_public_key_bytes> public_key;
        GIRIH_TRY(girih_public_key(alg, secret_key.data(), secret_key.size(), public_key.data(),
                                   girih_public_key_bytes(alg)));
        if (verify(public_key.data(), made) != GIRIH_OK) return GIRIH_ERROR_FAULT;
    }
    outputs.give(made);
    return GIRIH_OK;
}

/// What verifies a signature of a message, or of its representative, for give_signature.
inline auto verifying(const girih_alg* alg, const uint8_t* message, size_t message_bytes,
                      const girih_options* options)
{
    return [=](const Byte* public_key, BytesIn<> signature) {
        return girih_verify(alg, public_key, girih_public_key_bytes(alg), message, message_bytes, options,
                            signature.data(), signature.size());
    };
}
inline auto verifying_mu(const girih_alg* alg, const uint8_t* mu, size_t mu_bytes)
{
    return [=](const Byte* public_key, BytesIn<> signature) {
        return girih_verify_mu(alg, public_key, girih_public_key_bytes(alg), mu, mu_bytes, signature.data(),
                               signature.size());
    };
}

/// What every signing function does around the one thing it signs:
/// `sign(operations, rnd, signature)` writes the signature, `verify(public_key, signature)`
/// verifies it, both without looking at a caller's output.
template <class Sign, class Verify>
int sign_with(const girih_alg* alg, int key_error, BytesIn<> secret_key, const girih_options* options,
              const SignatureOut& out, Sign sign, Verify verify)
{
    SigningOutputs outputs{out};
    GIRIH_TRY(outputs.check_apart());
    if (!outputs.has_length() || alg == nullptr) return GIRIH_ERROR_ARGUMENT;
    GIRIH_TRY(key_error);
    const ml_dsa::Operations* operations;
    GIRIH_TRY(alg->find(operations));
    GIRIH_TRY(outputs.check_room(alg));
    SigningRandomness random;
    GIRIH_TRY(random.draw_for(alg, or_default(options)));

    Made<max_signature_bytes> signature{girih_signature_bytes(alg)};
    GIRIH_TRY(sign(*operations, random.data(), signature.data()));
    return give_signature(alg, secret_key, or_default(options), signature.view(), outputs, verify);
}

/// What every verifying function does around `verify(operations)`.
template <class Verify>
int verify_with(const girih_alg* alg, int key_error, const uint8_t* signature, size_t signature_bytes,
                Verify verify)
{
    if (alg == nullptr) return GIRIH_ERROR_ARGUMENT;
    GIRIH_TRY(key_error);
    if (!is_there(signature, signature_bytes)) return GIRIH_ERROR_ARGUMENT;
    const ml_dsa::Operations* operations;
    GIRIH_TRY(alg->find<Use::verifying>(operations));
    if (signature_bytes != girih_signature_bytes(alg)) return GIRIH_ERROR_SIGNATURE;
    return verify(*operations);
}

}  // namespace girih::api
