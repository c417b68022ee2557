/// The rows of a batch, as engines receive them: arguments are checked, and lengths follow from the
/// parameter set.
#pragma once

#include <cstddef>

#include "core/bytes.hpp"
#include "core/keygen_row.hpp"
#include "ml_dsa/encoding/frame.hpp"

namespace girih::ml_dsa {

/// The most rows passed at once: the lanes of the widest engine.
inline constexpr std::size_t rows_at_once = 8;

struct VerifyingRow {
    const void* prepared;  ///< a PreparedVerifyingKey of the parameter set, or null
    const Byte* pk;        ///< used if there is no prepared key
    Frame frame;
    BytesIn<> message;
    const Byte* signature;
    bool verifies;  ///< output
};

struct SigningRow {
    const void* prepared;  ///< a PreparedSigningKey of the parameter set
    Frame frame;
    BytesIn<> message;
    const Byte* rnd;  ///< null for a deterministic signature
    Byte* signature;
    std::size_t number;  ///< identifies the row to the caller
};

/// The source of signing's rows: a new one is taken as soon as another is done. At most
/// rows_at_once are in progress at any time; the memory they point to must stay until they are
/// done.
struct SigningRows {
    bool (*next)(void* rows, SigningRow& row);  ///< false when there is none left
    void (*done)(void* rows, std::size_t number, bool is_signed);
    void* rows;
};

}  // namespace girih::ml_dsa
