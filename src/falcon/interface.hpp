/// The operations of a parameter set as functions over plain bytes: engines provide them, and the
/// public API calls them.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "core/bytes.hpp"
#include "core/keygen_row.hpp"
#include "falcon/params.hpp"
#include "falcon/rows.hpp"

namespace girih::falcon {

enum class KeyCheck { good, malformed, inconsistent };

/// Every pointer points to the parameter set's number of bytes, a signature's to that of the
/// longest; salt and seed have 40 and 48 bytes; a point c has n residues.
struct Operations {
    void (*keygen)(const Byte* seed, Byte* pk, Byte* sk);
    KeyCheck (*public_key)(const Byte* sk, Byte* pk);
    SignOutcome (*sign)(const Byte* sk, BytesIn<> message, const Byte* salt, const Byte* seed,
                        Byte* signature);
    SignOutcome (*sign_point)(const Byte* sk, const Residue* c, const Byte* salt, const Byte* seed,
                              Byte* signature);
    Verdict (*verify)(const Byte* pk, BytesIn<> message, BytesIn<> signature);
    Verdict (*verify_point)(const Byte* pk, const Residue* c, BytesIn<> signature);

    /// Prepared keys, in memory of their size, aligned to prepared_key_alignment. Preparing a
    /// verifying key gives false for a malformed one.
    std::size_t signing_key_size;
    std::size_t verifying_key_size;
    SignResult (*prepare_signing_key)(const Byte* sk, void* memory);
    bool (*prepare_verifying_key)(const Byte* pk, void* memory);
    SignOutcome (*sign_prepared)(const void* prepared, BytesIn<> message, const Byte* salt, const Byte* seed,
                                 Byte* signature);
    bool (*verify_prepared)(const void* prepared, BytesIn<> message, BytesIn<> signature);

    /// Batches of any size.
    void (*keygen_many)(std::span<const KeygenRow> rows);
    void (*sign_many)(std::span<SigningRow> rows);
    void (*verify_many)(std::span<VerifyingRow> rows);
};

inline constexpr std::size_t prepared_key_alignment = 64;

/// All parameter sets, in the order of all tables.
inline constexpr std::array parameter_sets{falcon_512,         falcon_1024,   falcon_padded_512,
                                           falcon_padded_1024, falcon_ct_512, falcon_ct_1024};

/// The operations of one parameter set on engine `Isa`. The object of that engine and scheme
/// defines the table in a section of its own, so that a program links only what it names.
template <class Isa, Params P>
struct OperationsOn {
    static const Operations table;
    static const Operations verifying;  ///< only verification; all other functions are null
};

}  // namespace girih::falcon
