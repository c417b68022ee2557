/// Messages in pieces: the content of girih_message.
#pragma once

#include <girih/girih.h>

#include <cstdint>
#include <new>

#include "api/algorithms/algorithm.hpp"
#include "core/wipe.hpp"
#include "isa/portable/engine.hpp"
#include "keccak/sponge.hpp"

namespace girih::api {

/// The common part of all schemes' messages, which comes first.
struct BegunMessage {
    static constexpr std::uint64_t begun = 0x67697269682d6d73;  // "girih-ms"
    std::uint64_t mark;
    const girih_alg* alg;
    keccak::Shake256<isa::portable::Isa> hash;  ///< a single message needs only one lane
    bool is_pre_hashed;                         ///< pieces go to the scheme's pre-hash
};

/// Null if no message has been begun.
inline BegunMessage* begun_message(girih_message* message)
{
    if (message == nullptr || message->opaque[0] != BegunMessage::begun) return nullptr;
    return std::launder(reinterpret_cast<BegunMessage*>(message));
}

/// A begun message as the scheme's `Storage`, or null if it belongs to another scheme.
template <class Storage>
Storage* storage_as(girih_message* message, const VerifyingFunctions& scheme)
{
    const BegunMessage* const begun = begun_message(message);
    if (begun == nullptr || begun->alg->verifying != &scheme) return nullptr;
    return std::launder(reinterpret_cast<Storage*>(message));
}

/// Returns the error of a refused call, which leaves the message unchanged. If an output of the
/// call, which is zeroed, lies in the message, wipes all of it, so that the rest does not pass for
/// a message.
template <class... Outputs>
int refuse(girih_message* message, int error, const Outputs&... outputs)
{
    if (begun_message(message) != nullptr && (outputs.touches(message, sizeof *message) || ...))
        wipe(*message);
    return error;
}

/// A message's storage as an output. Without `write`, the destructor wipes it.
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
    void write(const Storage& storage)
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
