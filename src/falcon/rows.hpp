/// One operation of a batch, as engines receive it: arguments are checked, and lengths follow from
/// the parameter set.
#pragma once

#include <cstddef>

#include "core/bytes.hpp"

namespace girih::falcon {

/// The number of rows passed at once.
inline constexpr std::size_t rows_at_once = 16;

/// `fault`: a prepared key is not what it was, or was prepared wrongly.
enum class SignResult { good, malformed_key, too_many_attempts, fault };

/// The result of signing.
struct SignOutcome {
    SignResult result;
    std::size_t bytes = 0;  ///< of the signature
};

struct SigningRow {
    const void* prepared;  ///< null: `sk` instead
    const Byte* sk;
    BytesIn<> message;
    const Byte* salt;
    const Byte* seed;
    Byte* signature;
    SignOutcome outcome;  ///< out
};

enum class Verdict { good, malformed_key, bad };

struct VerifyingRow {
    const void* prepared;  ///< null: `pk` instead
    const Byte* pk;
    BytesIn<> message;
    BytesIn<> signature;
    Verdict verdict;  ///< out
};

}  // namespace girih::falcon
