/// The frame of a message: public bytes, which the API passes to the engines.
#pragma once

#include <array>
#include <cstddef>

#include "core/bytes.hpp"

namespace girih::ml_dsa {

/// The bytes before the message in M' (FIPS 204, Algorithm 2, line 10, and Algorithm 4, line 23),
/// as pieces that are hashed one after the other. Empty for Dilithium and for the internal
/// functions of FIPS 204.
struct Frame {
    std::array<Byte, 2> head{};  ///< 0 for a message or 1 for its pre-hash, and the length of the context
    std::size_t head_bytes = 0;
    BytesIn<> context;
    BytesIn<> oid;  ///< of the pre-hash function in DER, if there is one

    /// No frame: the message itself is M'.
    static constexpr Frame none() { return {}; }

    /// The frame of a message, or, with an oid, of its pre-hash. A context has at most 255 bytes.
    static constexpr Frame with(BytesIn<> context, BytesIn<> oid = {})
    {
        return {{Byte{!oid.empty()}, static_cast<Byte>(context.size())}, 2, context, oid};
    }
};

}  // namespace girih::ml_dsa
