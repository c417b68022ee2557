/// Messages that come in pieces: what girih_message's storage holds.
#pragma once

#include <girih/girih.h>

#include <cstdint>
#include <new>

#include "api/algorithms/algorithm.hpp"
#include "core/wipe.hpp"
#include "isa/portable/lanes.hpp"
#include "keccak/sponge.hpp"

namespace girih::api {

/// What every message begins with; what else its scheme keeps follows.
struct BegunMessage {
    static constexpr std::uint64_t begun = 0x67697269682d6d73;  // "girih-ms"
    std::uint64_t mark;
    const girih_alg* alg;
    keccak::Shake256<isa::portable::Isa> hash;  ///< of one message at a time, so one lane serves
    bool is_pre_hashed;                         ///< pieces go to the scheme's pre-hash first
};

/// Null if none has been begun.
inline BegunMessage* begun_message(girih_message* message)
{
    if (message == nullptr || message->opaque[0] != BegunMessage::begun) return nullptr;
    return std::launder(reinterpret_cast<BegunMessage*>(message));
}

/// Its storage, a BegunMessage and what the scheme keeps, if it is of these algorithms.
template <class Storage>
Storage* storage_as(girih_message* message, const VerifyingFunctions& scheme)
{
    const BegunMessage* const begun = begun_message(message);
    if (begun == nullptr || begun->alg->verifying != &scheme) return nullptr;
    return std::launder(reinterpret_cast<Storage*>(message));
}

/// The error of a call that is refused and leaves the message as it is. Not so if an output of the
/// call lies there: it is zeroed, and what then is left may not pass for a message.
template <class... Outputs>
int refuse(girih_message* message, int error, const Outputs&... outputs)
{
    if (begun_message(message) != nullptr && (outputs.touches(message, sizeof *message) || ...))
        wipe(*message);
    return error;
}

/// A message's storage that the caller wants begun: written in the end, like an Output
/// (arguments.hpp).
class MessageOut {
  public:
    explicit MessageOut(girih_message& message) : message_(message) {}
    MessageOut(const MessageOut&) = delete;
    MessageOut& operator=(const MessageOut&) = delete;
    ~MessageOut()
    {
        if (!is_done_) wipe(message_);
    }

    template <class Storage>
    void give(const Storage& storage)
    {
        static_assert(sizeof(Storage) <= sizeof(girih_message) && alignof(Storage) <= alignof(girih_message));
        wipe(message_);
        new (&message_) Storage(storage);
        is_done_ = true;
    }

  private:
    girih_message& message_;
    bool is_done_ = false;
};

}  // namespace girih::api
