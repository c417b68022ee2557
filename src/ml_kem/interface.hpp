/// The operations of a parameter set on bytes, as an engine provides them to the public API.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "core/bytes.hpp"
#include "core/keygen_row.hpp"
#include "ml_kem/params.hpp"

namespace girih::ml_kem {

/// The result of checking an imported decapsulation key.
enum class KeyCheck {
    good,
    malformed,     ///< a coefficient of s^ or t^ is not below q
    inconsistent,  ///< the stored H(ek) does not match ek, or t^ is not near A^ s^
};

/// The most rows passed at once: the lanes of the widest engine.
inline constexpr std::size_t rows_at_once = 8;

struct EncapsulationRow {
    const void* prepared;  ///< a prepared encapsulation key of the parameter set, or null
    const Byte* ek;        ///< used if there is no prepared key
    const Byte* m;
    Byte* ciphertext;
    Byte* shared_secret;
    bool is_good;  ///< output: false if ek does not pass the modulus check
};

struct DecapsulationRow {
    const void* prepared;  ///< a prepared decapsulation key of the parameter set, or null
    const Byte* dk;        ///< used if there is no prepared key
    const Byte* ciphertext;
    Byte* shared_secret;
    bool is_good;  ///< output: false if dk does not pass the hash check
};

/// Every pointer points to the parameter set's number of bytes; m and shared secrets have 32.
struct Operations {
    void (*keygen)(const Byte* seed, Byte* ek, Byte* dk);
    KeyCheck (*public_key)(const Byte* dk, Byte* ek);

    /// Prepared keys, in memory of their size, aligned to prepared_key_alignment. Returns false and
    /// writes nothing if ek does not pass the modulus check (FIPS 203, Section 7.2), or dk the hash
    /// check (Section 7.3).
    std::size_t encapsulation_key_size;
    std::size_t decapsulation_key_size;
    bool (*prepare_encapsulation_key)(const Byte* ek, void* memory);
    bool (*prepare_decapsulation_key)(const Byte* dk, void* memory);

    /// Batches of at most rows_at_once rows, except for key generation. A single operation is a
    /// batch of one row.
    void (*keygen_many)(std::span<const KeygenRow> rows);
    void (*encapsulate_many)(std::span<EncapsulationRow> rows);
    void (*decapsulate_many)(std::span<DecapsulationRow> rows);
};

inline constexpr std::size_t prepared_key_alignment = 64;

/// All parameter sets, in the order of all tables.
inline constexpr std::array parameter_sets{ml_kem_512, ml_kem_768, ml_kem_1024};

/// The operations of one parameter set on one engine. Each table has a section of its own, so that
/// a program links only the parameter sets that it names.
template <class Isa, Params P>
struct OperationsOn {
    static const Operations table;
};

}  // namespace girih::ml_kem
