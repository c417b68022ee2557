/// Shared by all functions that sign or verify: options, errors and the signature's output.
#pragma once

#include "api/algorithms/algorithm.hpp"
#include "api/arguments.hpp"
#include "api/prepared_keys/prepared_key.hpp"

namespace girih::api {

constexpr girih_options default_options{};

inline const girih_options& or_default(const girih_options* options)
{
    return options == nullptr ? default_options : *options;
}

inline int attempts_error(bool is_signed) { return is_signed ? GIRIH_OK : GIRIH_ERROR_ATTEMPTS; }

inline int verdict(bool verifies) { return verifies ? GIRIH_OK : GIRIH_ERROR_SIGNATURE; }

/// An unchecked buffer argument: its pointer may be null with any length.
struct GivenBytes {
    const uint8_t* data;
    size_t bytes;
};

/// The arguments of a single signing or verification, as a row.
inline girih_sign_row sign_row(const girih_signing_key* key, const GivenBytes& secret_key,
                               const GivenBytes& message, const girih_options* options)
{
    girih_sign_row row{};
    row.key = key;
    row.secret_key = secret_key.data;
    row.secret_key_bytes = secret_key.bytes;
    row.message = message.data;
    row.message_bytes = message.bytes;
    row.options = options;
    return row;
}
inline girih_verify_row verify_row(const girih_verifying_key* key, const GivenBytes& public_key,
                                   const GivenBytes& message, const girih_options* options,
                                   const GivenBytes& signature)
{
    return {key,     public_key.data, public_key.bytes, message.data, message.bytes,
            options, signature.data,  signature.bytes,  GIRIH_OK};
}

/// Checks that a prepared key belongs to the algorithm.
inline int check_prepared(const girih_alg& alg, const PreparedKey& key)
{
    return key.alg == &alg ? GIRIH_OK : GIRIH_ERROR_ALGORITHM;
}
inline int check_key(const girih_alg& alg, const girih_sign_row& row)
{
    return row.key != nullptr ? check_prepared(alg, *row.key)
                              : check_secret_key(alg, row.secret_key, row.secret_key_bytes);
}
inline int check_key(const girih_alg& alg, const girih_verify_row& row)
{
    return row.key != nullptr ? check_prepared(alg, *row.key)
                              : check_public_key(alg, row.public_key, row.public_key_bytes);
}

/// The bytes of a row's secret key.
inline BytesIn<> secret_key_of(const girih_sign_row& row)
{
    return row.key == nullptr ? view(row.secret_key, row.secret_key_bytes) : row.key->secret_key();
}

/// The output arguments for a signature.
struct SignatureOut {
    uint8_t* data;
    size_t capacity;
    size_t* bytes;
};

/// Checks that the longest signature of this algorithm fits.
inline int check_capacity(const girih_alg& alg, const uint8_t* signature, size_t capacity)
{
    if (!is_there(signature, capacity)) return GIRIH_ERROR_ARGUMENT;
    return capacity < alg.signature_bytes ? GIRIH_ERROR_CAPACITY : GIRIH_OK;
}

/// The outputs of every signing function.
class SigningOutputs {
  public:
    explicit SigningOutputs(const SignatureOut& out)
        : out_(out), signature_(out.data, out.capacity), length_(out.bytes)
    {
    }

    /// Comes before all other checks.
    int check_apart() { return api::check_apart(signature_, length_); }
    [[nodiscard]] bool touches(const void* data, std::size_t bytes) const
    {
        return signature_.touches(data, bytes) || length_.touches(data, bytes);
    }
    /// Whether the caller asks for the length.
    [[nodiscard]] bool has_length() const { return length_.is_there(); }
    [[nodiscard]] int check_capacity(const girih_alg& alg) const
    {
        return api::check_capacity(alg, out_.data, out_.capacity);
    }
    void write(BytesIn<> signature)
    {
        signature_.write(signature);
        length_.write(signature.size());
    }

  private:
    SignatureOut out_;
    Output signature_;
    OutputValue<size_t> length_;
};

/// The end of every signing function: writes the signature to the outputs. With
/// girih_options.verify_after_sign, only if verify(public_key, signature) succeeds, with a public
/// key that is recomputed from the secret key.
template <class Verify>
int write_signature(const girih_alg& alg, BytesIn<> secret_key, const girih_options& options, BytesIn<> made,
                    SigningOutputs& outputs, Verify verify)
{
    if (options.verify_after_sign != 0) {
        std::array<Byte, max_public_key_bytes> public_key;
        GIRIH_TRY(alg.keys->public_key(alg, secret_key.data(), public_key.data()));
        if (verify(public_key.data(), made) != GIRIH_OK) return GIRIH_ERROR_FAULT;
    }
    outputs.write(made);
    return GIRIH_OK;
}

/// The row to verify for verify_after_sign. A copy of the arguments made before signing, so that a
/// fault that changes what is signed does not change what is verified.
class SignedRow {
  public:
    explicit SignedRow(const girih_sign_row& row)
        : secret_key_(secret_key_of(row)),
          verified_(verify_row(nullptr, {}, {row.message, row.message_bytes}, row.options, {}))
    {
    }

    /// api::write_signature with the row's options, by verify(alg, row).
    int write_signature(const girih_alg& alg, BytesIn<> made, SigningOutputs& outputs,
                        int (*verify)(const girih_alg& alg, const girih_verify_row& row)) const
    {
        return api::write_signature(alg, secret_key_, or_default(verified_.options), made, outputs,
                                    [&](const Byte* public_key, BytesIn<> signature) {
                                        girih_verify_row row = verified_;
                                        row.public_key = public_key;
                                        row.public_key_bytes = alg.public_key_bytes;
                                        row.signature = signature.data();
                                        row.signature_bytes = signature.size();
                                        return verify(alg, row);
                                    });
    }

  private:
    BytesIn<> secret_key_;
    girih_verify_row verified_;
};

}  // namespace girih::api
