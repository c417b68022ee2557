/// How options frame a message for ML-DSA: its context, and its pre-hash.
#pragma once

#include <array>
#include <optional>

#include "api/algorithms/algorithm.hpp"
#include "isa/portable/engine.hpp"
#include "ml_dsa/encoding/pre_hash.hpp"

namespace girih::ml_dsa {

// Instantiated in api/ml_dsa/pre_hash.cpp.
extern template class PreHash<isa::portable::Isa>;

}  // namespace girih::ml_dsa

namespace girih::ml_dsa_api {

using namespace api;

#if defined(GIRIH_WITHOUT_PRE_HASH)
/// Never instantiated: HashML-DSA is left out.
struct PreHash {
    using Digest = std::array<Byte, 1>;
    void update(BytesIn<>) {}
    BytesIn<> finish(Digest&) { return {}; }
};
#else
// Messages are hashed one at a time, which needs only one lane.
using PreHash = ml_dsa::PreHash<isa::portable::Isa>;
#endif

/// How the options frame a message.
struct Framing {
    std::optional<PreHash> pre_hash;
    ml_dsa::PreHashOid oid{};
    ml_dsa::Frame frame;
};

/// Checks context and pre-hash against the algorithm, and fills the frame.
int make_framing(const girih_alg& alg, const girih_options& options, Framing& framing);

/// A framed message, as it is signed; `body` is the message or its pre-hash.
struct FramedMessage {
    // Not inline, so that all users share one copy.
    FramedMessage();
    ~FramedMessage();
    FramedMessage(const FramedMessage&) = delete;
    FramedMessage& operator=(const FramedMessage&) = delete;

    Framing framing;
    PreHash::Digest digest;
    BytesIn<> body;
};

int frame_message(const girih_alg& alg, const girih_options* options, const uint8_t* message,
                  size_t message_bytes, FramedMessage& framed);

}  // namespace girih::ml_dsa_api
